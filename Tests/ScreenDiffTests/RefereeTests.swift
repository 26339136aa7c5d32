import ScreenDiff
import TestModels
import Testing

/// Tests that the referee rejects a stage if a list view would throw, or if the stage breaks a rule of the protocol.
@Suite struct RefereeTests {
    private static let old = TestModel(["a": [1, 2], "b": [3]])
    private static let new = TestModel(["b": [3], "a": [2, 4]])

    /// Returns stages that the differ could compute: delete cell 1, insert cell 4, and move a section. `change` can modify
    /// these stages.
    private static func stages(_ change: (inout Stage, inout Stage) -> Void = { _, _ in }) -> [Stage] {
        var (cells, sections) = (Stage(), Stage())
        cells.deleteCells = [CellRun(place: CellPlace(section: 0, item: 0), count: 1)]
        cells.insertCells = [CellInsert(run: CellRun(place: CellPlace(section: 0, item: 1), count: 1), targetSection: 1)]
        sections.moveSections = [SectionMove(source: 0, destination: 1)]
        change(&cells, &sections)
        return [cells, sections]
    }

    private static func move(_ item: Int, to target: Int) -> CellMove {
        CellMove(source: CellPlace(section: 0, item: item), destination: CellPlace(section: 0, item: target), count: 1)
    }

    @Test func theRefereeAcceptsCorrectStages() throws {
        let referee = try Referee.judge(Self.stages(), from: Self.old, to: Self.new)
        #expect((referee.moveCount, referee.sectionMoveCount) == (0, 1))
    }

    @Test(arguments: [
        ("rule 1: a cell is a source twice", stages { cells, _ in cells.deleteCells.append(cells.deleteCells[0]) }),
        ("rule 1: a cell is a source twice", stages { cells, _ in cells.moveCells = [move(0, to: 0)] }),
        ("rule 1: a cell is a target twice", stages { cells, _ in cells.moveCells = [move(1, to: 1)] }),
        ("rule 1: no cell at", stages { cells, _ in cells.deleteCells[0].count = 3 }),
        ("rule 1: no cell at", stages { cells, _ in cells.insertCells[0].run.place.item = 2 }),
        ("rule 1: a section is a source twice", stages { _, sections in sections.deleteSections = [0] }),
        (
            "rule 1: a section is a target twice",
            stages { _, sections in sections.moveSections.append(SectionMove(source: 1, destination: 1)) }
        ),
        ("rule 1: no section place", stages { _, sections in sections.moveSections[0].destination = 2 }),
        ("rule 2: a stage of kinds", stages { cells, sections in cells.moveSections = sections.moveSections }),
        ("rule 2: a stage of kind", stages { cells, sections in swap(&cells, &sections) }),
        (
            "rule 4: section 0 has these views already",
            stages { _, sections in
                sections.moveSections = []
                sections.updateSections = [0]
            }
        ),
        (
            "rule 5:",
            stages { _, sections in
                sections.moveSections[0].source = 1; sections.moveSections[0].destination = 1
            }
        ),
    ])
    func theRefereeRejectsStagesThatBreakARule(_ rule: String, _ stages: [Stage]) throws {
        let violation = #expect(throws: Referee.Violation.self) { try Referee.judge(stages, from: Self.old, to: Self.new) }
        #expect(violation?.description.hasPrefix(rule) == true, "\(violation.map(\.description) ?? "")")
    }

    @Test func aMoveWrittenAsADeleteAndAnInsertIsRejected() {
        var stage = Stage()
        stage.deleteCells = [CellRun(place: CellPlace(section: 0, item: 0), count: 1)]
        stage.insertCells = [CellInsert(run: CellRun(place: CellPlace(section: 0, item: 1), count: 1), targetSection: 0)]
        let violation = #expect(throws: Referee.Violation.self) {
            try Referee.judge([stage], from: TestModel(["a": [1, 2]]), to: TestModel(["a": [2, 1]]))
        }
        #expect(violation?.description == "rule 6: cell 1 is deleted and inserted")
    }

    @Test func anUpdateOfAnUnchangedCellIsRejected() {
        var stage = Stage()
        stage.updateCells = [CellUpdate(place: CellPlace(section: 0, item: 0), target: CellPlace(section: 0, item: 0))]
        let model = TestModel(["a": [1]])
        let violation = #expect(throws: Referee.Violation.self) { try Referee.judge([stage], from: model, to: model) }
        #expect(violation?.description.hasPrefix("rule 4:") == true)
    }
}
