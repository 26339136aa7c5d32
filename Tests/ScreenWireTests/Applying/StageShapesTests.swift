import DocumentTexts
@testable import ScreenWire
import Testing

@Suite("Shapes of stages") struct StageShapesTests {
    private func refusals(_ stages: String) throws -> [Refusal] {
        try Refusal.list { try DocumentTexts.applied(DocumentTexts.changeset(stages), to: DocumentTexts.snapshot("a: 1 2 3 | b: 4 5")) }
    }

    @Test(arguments: [
        (#"{"deleteSections":[0]},{"deleteCells":[[0,0,1]]}"#, Refusal("/stages/1", .stageOutOfOrder(["deleteCells", "insertCells", "moveCells"], after: ["deleteSections", "moveSections"]))),
        (#"{"deleteCells":[[0,0,1]]},{"moveCells":[[0,0,1,0,1]]}"#, Refusal("/stages/1", .stageOutOfOrder(["deleteCells", "insertCells", "moveCells"], after: ["deleteCells", "insertCells", "moveCells"]))),
        ("{}", Refusal("/stages/0", .isEmpty)),
        (#"{"deleteCells":[]}"#, Refusal("/stages/0/deleteCells", .isEmpty)),
    ])
    func ruleTwoTheStagesAreAtMostFiveInTheirOrder(stages: String, refusal: Refusal) throws {
        #expect(try refusals(stages) == [refusal])
    }

    @Test(arguments: [["deleteCells", "deleteSections"], ["updateCells", "moveCells"], ["updateSections", "moveSections"]])
    func ruleThreeAStageHasOneKindOfOperations(keys: [String]) throws {
        let stage = "{\(keys.map { "\"\($0)\":[]" }.joined(separator: ","))}"
        #expect(try refusals(stage) == [Refusal("/stages/0", .mixedStage(keys))])
    }

    @Test(arguments: [
        ("7", Refusal("/stages/0", .wrongKind(expected: "an object", found: "a number"))),
        (#"{"swapCells":[]}"#, Refusal("/stages/0/swapCells", .unknownKey)),
        (#"{"$later":1,"deleteCells":[[0,0,1]]}"#, Refusal("/stages/0/$later", .unknownKey)),
        (#"{"insertCells":[{"at":[0,0],"cells":[{"id":"9","type":"t"}],"fade":true}]}"#, Refusal("/stages/0/insertCells/0/fade", .unknownKey)),
        (#"{"deleteCells":"all"}"#, Refusal("/stages/0/deleteCells", .wrongKind(expected: "an array", found: "a string"))),
        (#"{"deleteCells":[[0,0]]}"#, Refusal("/stages/0/deleteCells/0", .wrongCount(expected: 3, found: 2))),
        (#"{"deleteCells":[[0,0,0]]}"#, Refusal("/stages/0/deleteCells/0/2", .notACount("0"))),
        (#"{"deleteCells":[[0,-1,1]]}"#, Refusal("/stages/0/deleteCells/0/1", .notAPlace("-1"))),
        (#"{"deleteCells":[[0,1e300,1]]}"#, Refusal("/stages/0/deleteCells/0/1", .notAPlace("1e300"))),
        (#"{"moveCells":[[0,0,0,0.5,1]]}"#, Refusal("/stages/0/moveCells/0/3", .notAPlace("0.5"))),
        (#"{"deleteSections":["0"]}"#, Refusal("/stages/0/deleteSections/0", .wrongKind(expected: "a number", found: "a string"))),
        (#"{"moveSections":[[0]]}"#, Refusal("/stages/0/moveSections/0", .wrongCount(expected: 2, found: 1))),
        (#"{"updateCells":[{"at":[0,0]}]}"#, Refusal("/stages/0/updateCells/0/cell", .missing)),
        (#"{"updateCells":[{"at":[0],"cell":{"id":"1","type":"t"}}]}"#, Refusal("/stages/0/updateCells/0/at", .wrongCount(expected: 2, found: 1))),
        (#"{"insertCells":[{"at":[0,0],"cells":[]}]}"#, Refusal("/stages/0/insertCells/0/cells", .isEmpty)),
        (#"{"insertSections":[{"at":0,"section":{"id":"c"}}]}"#, Refusal("/stages/0/insertSections/0/section/cells", .missing)),
        (#"{"updateSections":[{"at":0,"header":"H"}]}"#, Refusal("/stages/0/updateSections/0/header", .wrongKind(expected: "an object", found: "a string"))),
    ])
    func operationsHaveTheirShape(stage: String, refusal: Refusal) throws {
        #expect(try refusals(stage) == [refusal])
    }
}
