import ScreenDiff
import Testing

/// Tests of moves for a view that performs one operation after another.
@Suite struct SequentialMoves {
    @Test func theIndicesOfAMoveReferToTheListAfterThePreviousMove() {
        #expect(told([(2, 0), (1, 3)]) == [[2, 0], [2, 3]])
        #expect(told([(0, 3), (3, 0)]) == [[3, 0], [1, 3]])
    }

    @Test func rowsWithVeryLargeIndicesAreMoved() {
        let far = 1_000_000_000_000
        #expect(told([(far, 3), (2, far)]) == [[far, 4], [2, far]])
    }

    @Test func anInvalidMoveIsOmitted() {
        #expect(told([(1, 0), (1, 2)]) == [[1, 0]])
        #expect(told([(1, 0), (2, 0)]) == [[1, 0]])
        #expect(told([(-1, 0), (0, -1), (2, 1)]) == [[2, 1]])
        #expect(told([(.max, 0), (0, .max), (.min, .min), (2, 1)]) == [[2, 1]])
        #expect(told([(3, 1), (4, 0)], deleted: [3, 3, -1]) == [[3, 0]])
        #expect(told([(3, 1), (2, 0)], inserted: [1, 1, -1]) == [[2, 0]])
    }

    @Test func movesWithExtremeNumbersDoNotCrash() {
        let items: [Int] = [.min, -1, 0, 1, .max / 2 - 1, .max - 1, .max]
        for first in items {
            for second in items {
                for third in items {
                    _ = told([(first, second), (third, first), (second, third)])
                    _ = told([(first, second), (second, first)], deleted: [third, 0], inserted: [0, third])
                }
            }
        }
    }

    @Test func aMoveToAnotherSectionIsOmitted() {
        var stage = Stage()
        stage.moveCells = [
            CellMove(source: CellPlace(section: 0, item: 0), destination: CellPlace(section: 1, item: 5), count: 1),
            CellMove(source: CellPlace(section: 0, item: 2), destination: CellPlace(section: 0, item: 1), count: 1),
        ]
        let move = ListOperation.moveCell(from: CellPlace(section: 0, item: 2), to: CellPlace(section: 0, item: 1))
        #expect(stage.operations(isSequential: true) == [move])
    }

    /// Returns the moves that a sequential view performs. Each move is an array of the source index and the target index.
    private func told(_ moves: [(Int, Int)], deleted: [Int] = [], inserted: [Int] = []) -> [[Int]] {
        func place(_ item: Int) -> CellPlace { CellPlace(section: 3, item: item) }
        var stage = Stage()
        stage.moveCells = moves.map { CellMove(source: place($0), destination: place($1), count: 1) }
        stage.deleteCells = deleted.map { CellRun(place: place($0), count: 1) }
        stage.insertCells = inserted.map { CellInsert(run: CellRun(place: place($0), count: 1), targetSection: 3) }
        return stage.operations(isSequential: true).compactMap {
            if case .moveCell(let source, let destination) = $0 { [source.item, destination.item] } else { nil }
        }
    }
}
