import ScreenDiff
import SeededRandom
import Testing

@Suite("Stages that do not fit") struct StageMisfitTests {
    private typealias Operation = StageMisfit.Operation
    private static let list = SectionedList(sections: ["a", "b"], cells: [[1, 2, 3], [4, 5]])
    /// Numbers that are just out of bounds, and numbers that would cause an overflow in a sum.
    private static let wrongNumbers = [Int.min, -1, 4, Int.max - 1, Int.max]

    @Test func theErrorForAnInvalidStageContainsTheFirstInvalidOperationAndItsPlace() {
        expect(.deleteCells, 0, .cell(place(0, 3)), .outOfBounds(count: 3)) { $0.deleteCells = [run(0, 2, 2)] }
        expect(.deleteCells, 1, .cell(place(0, 1)), .sourceTwice) { $0.deleteCells = [run(0, 0, 2), run(0, 1, 1)] }
        expect(.deleteCells, 1, .cell(place(0, 0)), .notAscending) { $0.deleteCells = [run(0, 1, 1), run(0, 0, 1)] }
        expect(.moveCells, 0, .cell(place(0, 3)), .outOfBounds(count: 3)) { $0.moveCells = [move(place(0, 0), place(0, 3))] }
        expect(.moveCells, 1, .cell(place(0, 1)), .targetTwice) {
            $0.moveCells = [move(place(0, 0), place(0, 1)), move(place(0, 2), place(0, 1))]
        }
        expect(.moveCells, 0, .section(2), .outOfBounds(count: 2)) { $0.moveCells = [move(place(0, 0), place(2, 0))] }
        expect(.updateSections, 0, .section(4), .outOfBounds(count: 2)) { $0.updateSections = [4] }
        expect(.updateCells, 1, .cell(place(0, 0)), .sourceTwice) {
            $0.updateCells = [CellUpdate(place: place(0, 0), target: place(0, 1)), CellUpdate(place: place(0, 0), target: place(0, 2))]
        }
        expect(.updateCells, 0, .cell(place(0, 0)), .missingContent) {
            $0.updateCells = [CellUpdate(place: place(0, 0), target: place(0, 7))]
        }
        expect(.insertSections, 0, .section(0), .missingContent) {
            $0.insertSections = [SectionInsert(place: 0, target: 3, newItems: [])]
        }
        expect(.insertSections, 0, .section(1), .missingContent) {
            $0.insertSections = [SectionInsert(place: 1, target: 0, newItems: [0..<1, 2..<4])]
        }
        expect(.deleteSections, 1, .section(0), .sourceTwice) { $0.deleteSections = [0, 0] }
        expect(.moveSections, 0, .section(2), .outOfBounds(count: 2)) { $0.moveSections = [SectionMove(source: 0, destination: 2)] }
    }

    @Test func countingAndPrintingAStageWithExtremeNumbersDoesNotOverflow() {
        var stage = Stage()
        for number in [Int.min, .max, .max] {
            stage.deleteCells.append(run(0, number, number))
            stage.moveCells.append(CellMove(source: place(number, 0), destination: place(0, number), count: number))
            stage.insertSections.append(SectionInsert(place: number, target: number, newItems: [Int.min..<Int.max, 0..<1]))
        }
        #expect(stage.cellChangeCount == .max)
        #expect(stage.debugDescription.contains("\(Int.max)"))
        var changeset = Changeset(data: [1], elementUpdated: [place(0, 0)])
        changeset.stage = stage
        #expect(changeset.changeCount == .max)
        #expect(([changeset, changeset] as StagedChangeset).changeCount == .max)
    }

    @Test func allInvalidDeletesAndMovesOfCellsAreReported() {
        var list = Self.list
        let misfits = list.changeCells(
            deletes: [run(0, 3, 1), run(5, 0, 1)],
            moves: [move(place(0, 0), place(1, 0)), move(place(0, 1), place(1, 0)), move(place(0, 0), place(1, 1))]
        )
        #expect(
            Set(misfits.map(\.operation)) == [
                Operation(.deleteCells, 0), Operation(.deleteCells, 1), Operation(.moveCells, 1), Operation(.moveCells, 2),
            ])
        #expect(list.cells == Self.list.cells)
    }

    @Test(arguments: [0, -1, Int.min]) func aRunOfFewerThanOneCellIsRejected(count: Int) {
        expect(.deleteCells, 0, .cell(place(0, 1)), .emptyRun(count: count)) { $0.deleteCells = [run(0, 1, count)] }
        expect(.moveCells, 0, .cell(place(0, 1)), .emptyRun(count: count)) {
            $0.moveCells = [CellMove(source: place(0, 1), destination: place(1, 0), count: count)]
        }
        expect(.insertCells, 0, .cell(place(0, 1)), count == 0 ? .emptyRun(count: 0) : .missingContent) {
            $0.insertCells = [CellInsert(run: run(0, 1, count), targetSection: 0)]
        }
    }

    @Test(arguments: wrongNumbers) func aStageWithAnInvalidNumberIsRejectedAndChangesNothing(number: Int) {
        let stages = [
            stage { $0.deleteCells = [run(number, 0, 1)] },
            stage { $0.deleteCells = [run(0, number, 1)] },
            stage { $0.deleteCells = [run(0, 1, number)] },
            stage { $0.moveCells = [move(place(number, 0), place(0, 0))] },
            stage { $0.moveCells = [move(place(0, number), place(0, 0))] },
            stage { $0.moveCells = [move(place(0, 0), place(number, 0))] },
            stage { $0.moveCells = [move(place(0, 0), place(0, number))] },
            stage { $0.moveCells = [CellMove(source: place(0, 1), destination: place(0, 0), count: number)] },
            stage { $0.insertCells = [CellInsert(run: run(number, 0, 1), targetSection: 0)] },
            stage { $0.insertCells = [CellInsert(run: run(0, number, 1), targetSection: 0)] },
            stage { $0.insertCells = [CellInsert(run: run(0, 1, number), targetSection: 0)] },
            stage { $0.insertCells = [CellInsert(run: run(0, 0, 1), targetSection: number)] },
            stage { $0.updateCells = [CellUpdate(place: place(number, 0), target: place(0, 0))] },
            stage { $0.updateCells = [CellUpdate(place: place(0, number), target: place(0, 0))] },
            stage { $0.updateCells = [CellUpdate(place: place(0, 0), target: place(number, 0))] },
            stage { $0.updateCells = [CellUpdate(place: place(0, 0), target: place(0, number))] },
            stage { $0.insertSections = [SectionInsert(place: number, target: 0, newItems: [])] },
            stage { $0.insertSections = [SectionInsert(place: 0, target: number, newItems: [])] },
            stage { $0.insertSections = [SectionInsert(place: 0, target: 0, newItems: [min(number, 0)..<max(number, 0)])] },
            stage { $0.insertSections = [SectionInsert(place: 0, target: 0, newItems: [Int.min..<Int.max])] },
            stage { $0.deleteSections = [number] },
            stage { $0.moveSections = [SectionMove(source: number, destination: 0)] },
            stage { $0.moveSections = [SectionMove(source: 0, destination: number)] },
            stage { $0.updateSections = [number] },
        ]
        for stage in stages {
            var list = Self.list
            #expect(throws: StageMisfit.self, "\(stage)") { try list.apply(stage, from: Self.list) }
            #expect(list.cells == Self.list.cells && list.sections == Self.list.sections)
        }
    }

    @Test(arguments: Seeds.first(50)) func aRandomStageChangesNothingIfItIsRejected(seed: UInt64) {
        var stages = RandomStages(seed: seed)
        for _ in 0..<200 {
            let stage = stages.next()
            var list = Self.list
            do {
                try list.apply(stage, from: Self.list)
                #expect(list.sections.count == list.cells.count, "\(stage)")
            } catch {
                #expect(list.cells == Self.list.cells && list.sections == Self.list.sections, "\(stage)")
            }
        }
    }

    private func expect(
        _ kind: StageMisfit.Kind, _ index: Int, _ place: StageMisfit.Place, _ cause: StageMisfit.Cause,
        at location: SourceLocation = #_sourceLocation, _ make: (inout Stage) -> Void
    ) {
        var changed = Self.list
        let misfit = #expect(throws: StageMisfit.self, sourceLocation: location) { try changed.apply(stage(make), from: Self.list) }
        #expect(misfit?.operation == Operation(kind, index), sourceLocation: location)
        #expect(misfit?.place == place, sourceLocation: location)
        #expect(misfit?.cause == cause, sourceLocation: location)
        #expect(changed.cells == Self.list.cells, sourceLocation: location)
    }

    private func stage(_ make: (inout Stage) -> Void) -> Stage {
        var stage = Stage()
        make(&stage)
        return stage
    }

    private func place(_ section: Int, _ item: Int) -> CellPlace { CellPlace(section: section, item: item) }

    private func run(_ section: Int, _ item: Int, _ count: Int) -> CellRun { CellRun(place: place(section, item), count: count) }

    private func move(_ source: CellPlace, _ destination: CellPlace) -> CellMove {
        CellMove(source: source, destination: destination, count: 1)
    }
}

/// A generator of random stages with a few operations each. Some places are valid, some are invalid, and some would cause an
/// overflow in a sum.
private struct RandomStages {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> Stage {
        var stage = Stage()
        stage.updateCells = few { CellUpdate(place: $0.place(), target: $0.place()) }
        stage.insertSections = few { insert in
            SectionInsert(place: insert.number(), target: insert.number(), newItems: insert.few { $0.range() })
        }
        stage.deleteCells = few { $0.run() }
        stage.insertCells = few { CellInsert(run: $0.run(), targetSection: $0.number()) }
        stage.moveCells = few { CellMove(source: $0.place(), destination: $0.place(), count: $0.number()) }
        stage.deleteSections = few { $0.number() }
        stage.moveSections = few { SectionMove(source: $0.number(), destination: $0.number()) }
        stage.updateSections = few { $0.number() }
        return stage
    }

    private mutating func few<Operation>(_ make: (inout RandomStages) -> Operation) -> [Operation] {
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return [] }
        return (0...Int.random(in: 0..<2, using: &generator)).map { _ in make(&self) }
    }

    private mutating func run() -> CellRun { CellRun(place: place(), count: number()) }

    private mutating func place() -> CellPlace { CellPlace(section: number(), item: number()) }

    private mutating func range() -> Range<Int> {
        let bounds = [number(), number()]
        return min(bounds[0], bounds[1])..<max(bounds[0], bounds[1])
    }

    /// Returns a number that is valid in most cases.
    private mutating func number() -> Int {
        [0, 1, 0, 1, 0, 1, 2, 3, 4, -1, .min, .max - 1, .max].randomElement(using: &generator)!
    }
}
