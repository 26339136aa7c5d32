import ScreenDiff
import ScreenModel
import TestModels
import Testing

/// Tests that the stages have the fewest possible moves, as rule 7 of the protocol requires, and the fewest possible runs. The source
/// contains six cells of the target and one deleted cell. The target contains the six cells and one new cell, in every possible order. For
/// each target, the tests try every set of cells that can stay in place.
@Suite struct BruteForce {
    private static let source = [1, 2, 3, 9, 4, 5, 6]
    private static let pairs = orders(of: [1, 2, 3, 4, 5, 6, 7]).map { (target: $0, staying: Staying.all(source, $0)) }

    @Test func theFewestPossibleCellsAreMovedInTheFewestPossibleRuns() {
        for (target, staying) in Self.pairs {
            #expect(moves(to: target, anchor: nil) == staying.map(\.moves).min(), "\(target)")
        }
    }

    @Test(arguments: 1...6) func theAnchorStaysInPlaceUnlessMoreCellsWouldMove(anchor: Int) {
        for (target, staying) in Self.pairs {
            let least = staying.map(\.moves.cells).min()
            let withAnchor = staying.filter { $0.cells.contains(anchor) }.map(\.moves).filter { $0.cells == least }.min()
            let expected = withAnchor ?? staying.map(\.moves).min()
            #expect(moves(to: target, anchor: anchor) == expected, "\(target)")
            let staysPut = !movedCells(to: target, anchor: anchor).contains(anchor)
            #expect(staysPut == (withAnchor != nil), "\(target)")
        }
    }

    @Test func aRunOfThreeCellsIsMovedInsteadOfThreeSeparateCells() {
        let stages = TestModel(["a": [1, 2, 3, 4, 5, 6]]).changeset(to: TestModel(["a": [4, 7, 5, 8, 6, 1, 2, 3]])).stages
        #expect(stages.map(\.debugDescription) == ["  insertCells [0, 1], [0, 3]\n  moveCells [0, 0]→[0, 5]×3"])
    }

    private func moves(to target: [Int], anchor: Int?) -> Moves {
        let moves = stagedMoves(to: target, anchor: anchor)
        return Moves(cells: moves.reduce(0) { $0 + $1.count }, runs: moves.count)
    }

    private func movedCells(to target: [Int], anchor: Int?) -> [Int] {
        stagedMoves(to: target, anchor: anchor).flatMap { Self.source[$0.source.item..<$0.source.item + $0.count] }
    }

    private func stagedMoves(to target: [Int], anchor: Int?) -> [CellMove] {
        let (old, new) = (TestModel(["a": Self.source]), TestModel(["a": target]))
        return old.changeset(to: new, anchor: anchor).stages.flatMap(\.moveCells)
    }

    private static func orders(of values: [Int]) -> [[Int]] {
        guard !values.isEmpty else { return [[]] }
        return values.flatMap { first in orders(of: values.filter { $0 != first }).map { [first] + $0 } }
    }
}

private struct Moves: Comparable {
    let cells: Int
    let runs: Int

    static func < (first: Moves, second: Moves) -> Bool { (first.cells, first.runs) < (second.cells, second.runs) }
}

/// A set of cells that can stay in place, because they have the same order in both lists.
private struct Staying {
    let cells: Set<Int>
    let moves: Moves

    static func all(_ source: [Int], _ target: [Int]) -> [Staying] {
        let survivors = source.filter(target.contains)
        return (0..<1 << survivors.count).compactMap { choice in
            let staying = survivors.indices.filter { choice & 1 << $0 != 0 }.map { survivors[$0] }
            let places = staying.map { target.firstIndex(of: $0)! }
            guard zip(places, places.dropFirst()).allSatisfy(<) else { return nil }
            let moved = survivors.filter { !staying.contains($0) }
            let runs = moved.count { !continuesRun($0, moved, source, target) }
            return Staying(cells: Set(staying), moves: Moves(cells: moved.count, runs: runs))
        }
    }

    /// Returns a Boolean value that indicates whether a moved cell belongs to the run of its predecessor. The cell must have the same
    /// predecessor in both lists, and the predecessor must also move.
    private static func continuesRun(_ cell: Int, _ moved: [Int], _ source: [Int], _ target: [Int]) -> Bool {
        let place = source.firstIndex(of: cell)!
        let destination = target.firstIndex(of: cell)!
        guard place > 0, destination > 0 else { return false }
        return source[place - 1] == target[destination - 1] && moved.contains(source[place - 1])
    }
}
