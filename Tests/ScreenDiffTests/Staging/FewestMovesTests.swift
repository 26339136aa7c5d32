import ScreenDiff
import ScreenModel
import Testing

/// Shows that rule 7's formula is the least, by trying every set of cells to leave in place.
@Suite struct BruteForce {
    @Test func noFewerMovesWouldDo() {
        for source in orders(of: [1, 2, 3, 4, 5]) {
            let values = source.map { $0 }
            let kept = (0..<(1 << values.count)).filter { isIncreasing(values, $0) }.map(\.nonzeroBitCount).max() ?? 0
            let old = TestModel(["a": [1, 2, 3, 4, 5]])
            let new = TestModel(["a": values])
            let moves = old.changeset(to: new).stages.flatMap(\.moveCells).reduce(0) { $0 + $1.count }
            #expect(moves == values.count - kept, "\(values)")
        }
    }

    private func isIncreasing(_ values: [Int], _ members: Int) -> Bool {
        let chosen = values.indices.filter { members & 1 << $0 != 0 }.map { values[$0] }
        return zip(chosen, chosen.dropFirst()).allSatisfy(<)
    }

    private func orders(of values: [Int]) -> [[Int]] {
        guard !values.isEmpty else { return [[]] }
        return values.flatMap { first in orders(of: values.filter { $0 != first }).map { [first] + $0 } }
    }
}
