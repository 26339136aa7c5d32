import DocumentTexts
import Testing

@testable import ScreenWire

@Suite("Rejected stages") struct StageRulesTests {
    private func refusals(_ stages: String) throws -> [Refusal] {
        try Refusal.list { try DocumentTexts.applied(DocumentTexts.changeset(stages), to: DocumentTexts.snapshot("a: 1 2 3 | b: 4 5")) }
    }

    @Test(arguments: [
        (
            #"{"deleteSections":[0]},{"deleteCells":[[0,0,1]]}"#,
            Refusal("/stages/1", .stageOutOfOrder(["deleteCells", "insertCells", "moveCells"], after: ["deleteSections", "moveSections"]))
        ),
        (
            #"{"deleteCells":[[0,0,1]]},{"moveCells":[[0,0,1,0,1]]}"#,
            Refusal(
                "/stages/1",
                .stageOutOfOrder(["deleteCells", "insertCells", "moveCells"], after: ["deleteCells", "insertCells", "moveCells"]))
        ),
        ("{}", Refusal("/stages/0", .isEmpty)),
        (#"{"deleteCells":[]}"#, Refusal("/stages/0/deleteCells", .isEmpty)),
    ])
    func emptyRepeatedOrMisorderedStagesAreRejected(stages: String, refusal: Refusal) throws {
        #expect(try refusals(stages) == [refusal])
    }

    @Test(arguments: [["deleteCells", "deleteSections"], ["updateCells", "moveCells"], ["updateSections", "moveSections"]])
    func aStageThatMixesOperationsOfDifferentStageKindsIsRejected(keys: [String]) throws {
        let stage = "{\(keys.map { "\"\($0)\":[]" }.joined(separator: ","))}"
        #expect(try refusals(stage) == [Refusal("/stages/0", .mixedStage(keys))])
    }

    @Test(arguments: [
        ("7", Refusal("/stages/0", .wrongKind(expected: "an object", found: "a number"))),
        (#"{"swapCells":[]}"#, Refusal("/stages/0/swapCells", .unknownKey)),
        (#"{"$later":1,"deleteCells":[[0,0,1]]}"#, Refusal("/stages/0/$later", .unknownKey)),
        (
            #"{"insertCells":[{"at":[0,0],"cells":[{"id":"9","type":"t"}],"fade":true}]}"#,
            Refusal("/stages/0/insertCells/0/fade", .unknownKey)
        ),
        (#"{"deleteCells":"all"}"#, Refusal("/stages/0/deleteCells", .wrongKind(expected: "an array", found: "a string"))),
        (#"{"deleteCells":[[0,0]]}"#, Refusal("/stages/0/deleteCells/0", .wrongCount(expected: 3, found: 2))),
        (#"{"deleteCells":[[0,0,0]]}"#, Refusal("/stages/0/deleteCells/0/2", .notACount("0"))),
        (#"{"deleteCells":[[0,-1,1]]}"#, Refusal("/stages/0/deleteCells/0/1", .notAnIndex("-1"))),
        (#"{"deleteCells":[[0,1e300,1]]}"#, Refusal("/stages/0/deleteCells/0/1", .notAnIndex("1e300"))),
        (#"{"moveCells":[[0,0,0,0.5,1]]}"#, Refusal("/stages/0/moveCells/0/3", .notAnIndex("0.5"))),
        (#"{"deleteSections":["0"]}"#, Refusal("/stages/0/deleteSections/0", .wrongKind(expected: "a number", found: "a string"))),
        (#"{"moveSections":[[0]]}"#, Refusal("/stages/0/moveSections/0", .wrongCount(expected: 2, found: 1))),
        (#"{"updateCells":[{"at":[0,0]}]}"#, Refusal("/stages/0/updateCells/0/cell", .missing)),
        (
            #"{"updateCells":[{"at":[0],"cell":{"id":"1","type":"t"}}]}"#,
            Refusal("/stages/0/updateCells/0/at", .wrongCount(expected: 2, found: 1))
        ),
        (#"{"insertCells":[{"at":[0,0],"cells":[]}]}"#, Refusal("/stages/0/insertCells/0/cells", .isEmpty)),
        (#"{"insertSections":[{"at":0,"section":{"id":"c"}}]}"#, Refusal("/stages/0/insertSections/0/section/cells", .missing)),
        (
            #"{"updateSections":[{"at":0,"header":"H"}]}"#,
            Refusal("/stages/0/updateSections/0/header", .wrongKind(expected: "an object", found: "a string"))
        ),
    ])
    func malformedOperationsAreRejected(stage: String, refusal: Refusal) throws {
        #expect(try refusals(stage) == [refusal])
    }

    @Test(arguments: [
        (#"{"deleteCells":[[0,2,2]]}"#, Refusal("/stages/0/deleteCells/0", .outOfBounds(count: 3))),
        (#"{"deleteCells":[[2,0,1]]}"#, Refusal("/stages/0/deleteCells/0", .outOfBounds(count: 2))),
        (#"{"moveCells":[[1,2,0,0,1]]}"#, Refusal("/stages/0/moveCells/0", .outOfBounds(count: 2))),
        (#"{"moveCells":[[0,0,2,0,1]]}"#, Refusal("/stages/0/moveCells/0", .outOfBounds(count: 2))),
        (#"{"moveCells":[[0,0,0,2,2]]}"#, Refusal("/stages/0/moveCells/0", .outOfBounds(count: 3))),
        (#"{"updateCells":[{"at":[0,3],"cell":{"id":"1","type":"t"}}]}"#, Refusal("/stages/0/updateCells/0", .outOfBounds(count: 3))),
        (#"{"insertCells":[{"at":[0,4],"cells":[{"id":"9","type":"t"}]}]}"#, Refusal("/stages/0/insertCells/0", .outOfBounds(count: 4))),
        (#"{"insertSections":[{"at":3,"section":{"id":"c","cells":[]}}]}"#, Refusal("/stages/0/insertSections/0", .outOfBounds(count: 3))),
        (#"{"deleteSections":[2]}"#, Refusal("/stages/0/deleteSections/0", .outOfBounds(count: 2))),
        (#"{"moveSections":[[2,0]]}"#, Refusal("/stages/0/moveSections/0", .outOfBounds(count: 2))),
        (#"{"moveSections":[[0,2]]}"#, Refusal("/stages/0/moveSections/0", .outOfBounds(count: 2))),
        (#"{"updateSections":[{"at":2}]}"#, Refusal("/stages/0/updateSections/0", .outOfBounds(count: 2))),
        (#"{"deleteCells":[[0,9007199254740991,9007199254740991]]}"#, Refusal("/stages/0/deleteCells/0", .outOfBounds(count: 3))),
    ])
    func operationsWithPlacesOutOfBoundsAreRejected(stage: String, refusal: Refusal) throws {
        #expect(try refusals(stage) == [refusal])
    }

    @Test(arguments: [
        (#"{"deleteCells":[[0,0,2],[0,1,1]]}"#, Refusal("/stages/0/deleteCells/1", .sourceTwice)),
        (#"{"deleteCells":[[0,0,1]],"moveCells":[[0,0,1,0,1]]}"#, Refusal("/stages/0/moveCells/0", .sourceTwice)),
        (#"{"deleteSections":[1],"moveSections":[[1,0]]}"#, Refusal("/stages/0/moveSections/0", .sourceTwice)),
        (
            #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"t"}},{"at":[0,0],"cell":{"id":"1","type":"u"}}]}"#,
            Refusal("/stages/0/updateCells/1", .sourceTwice)
        ),
        (
            #"{"updateSections":[{"at":0,"header":{"type":"h"}},{"at":0,"header":{"type":"i"}}]}"#,
            Refusal("/stages/0/updateSections/1", .sourceTwice)
        ),
        (
            #"{"insertCells":[{"at":[0,1],"cells":[{"id":"9","type":"t"}]}],"moveCells":[[1,0,0,1,1]]}"#,
            Refusal("/stages/0/moveCells/0", .targetTwice)
        ),
        (#"{"moveCells":[[0,0,1,0,1],[0,1,1,0,1]]}"#, Refusal("/stages/0/moveCells/1", .targetTwice)),
        (#"{"moveSections":[[0,0],[1,0]]}"#, Refusal("/stages/0/moveSections/1", .targetTwice)),
        (
            #"{"insertSections":[{"at":0,"section":{"id":"c","cells":[]}},{"at":0,"section":{"id":"d","cells":[]}}]}"#,
            Refusal("/stages/0/insertSections/1", .targetTwice)
        ),
    ])
    func operationsWithTheSameSourceOrTargetInAStageAreRejected(stage: String, refusal: Refusal) throws {
        #expect(try refusals(stage) == [refusal])
    }

    @Test(arguments: [
        (#"{"updateCells":[{"at":[0,0],"cell":{"type":"row","id":"1"}}]}"#, Refusal("/stages/0/updateCells/0", .changesNothing)),
        (#"{"updateSections":[{"at":1,"header":null,"supplementary":[]}]}"#, Refusal("/stages/0/updateSections/0", .changesNothing)),
    ])
    func anUpdateThatDoesNotChangeTheContentIsRejected(stage: String, refusal: Refusal) throws {
        #expect(try refusals(stage) == [refusal])
    }

    @Test(arguments: [
        (
            #"{"deleteCells":[[0,0,1]],"insertCells":[{"at":[1,0],"cells":[{"id":"1","type":"t"}]}]}"#,
            Refusal("/stages/0/insertCells/0/cells/0/id", .insertsDeletedID("1"))
        ),
        (
            #"{"insertSections":[{"at":0,"section":{"id":"c","cells":[{"id":"4","type":"t"}]}}]},{"deleteSections":[2]}"#,
            Refusal("/stages/0/insertSections/0/section/cells/0/id", .insertsDeletedID("4"))
        ),
        (
            #"{"insertSections":[{"at":0,"section":{"id":"b","cells":[]}}]},{"deleteSections":[2]}"#,
            Refusal("/stages/0/insertSections/0/section/id", .insertsDeletedID("b"))
        ),
        (
            #"{"insertSections":[{"at":0,"section":{"id":"c","cells":[]}}]},{"deleteSections":[0]}"#,
            Refusal("/stages/0/insertSections/0/section/id", .insertsDeletedID("c"))
        ),
    ])
    func aChangesetThatDeletesAndInsertsTheSameIDIsRejected(stages: String, refusal: Refusal) throws {
        #expect(try refusals(stages) == [refusal])
    }

    @Test(arguments: [
        (#"{"moveCells":[[0,1,0,0,2]]}"#, Refusal("/stages/0/moveCells", .needlessMoves(found: 2, least: 1))),
        (#"{"moveCells":[[0,1,0,1,1]]}"#, Refusal("/stages/0/moveCells", .needlessMoves(found: 1, least: 0))),
        (#"{"moveSections":[[0,1],[1,0]]}"#, Refusal("/stages/0/moveSections", .needlessMoves(found: 2, least: 1))),
        (#"{"moveCells":[[0,0,1,0,1]]},{"deleteSections":[1]}"#, Refusal("/stages/0/moveCells", .needlessMoves(found: 1, least: 0))),
    ])
    func aChangesetWithMoreMovesThanNecessaryIsRejected(stages: String, refusal: Refusal) throws {
        #expect(try refusals(stages) == [refusal])
    }

    @Test(arguments: [
        (
            #"{"insertCells":[{"at":[0,0],"cells":[{"id":"5","type":"t"}]}]}"#,
            Refusal("/stages/0/insertCells/0/cells/0/id", .insertsExistingID("5"))
        ),
        (
            #"{"insertSections":[{"at":0,"section":{"id":"b","cells":[]}}]}"#,
            Refusal("/stages/0/insertSections/0/section/id", .insertsExistingID("b"))
        ),
        (
            #"{"insertCells":[{"at":[0,0],"cells":[{"id":"9","type":"t"},{"id":"9","type":"t"}]}]}"#,
            Refusal(
                "/stages/0/insertCells/0/cells/1/id", .repeatedID("9", first: JSONPointer("stages", 0, "insertCells", 0, "cells", 0, "id")))
        ),
    ])
    func anInsertedIDThatExistsOrIsInsertedTwiceIsRejected(stage: String, refusal: Refusal) throws {
        #expect(try refusals(stage) == [refusal])
    }

    @Test func anUpdateThatChangesTheIDOfACellIsRejected() throws {
        let stage = #"{"updateCells":[{"at":[0,1],"cell":{"id":"3","type":"t"}}]}"#
        #expect(try refusals(stage) == [Refusal("/stages/0/updateCells/0/cell/id", .unexpectedText(found: "3", expected: ["2"]))])
    }

    @Test(arguments: [
        (#"{"deleteCells":[[0,1,1],[0,0,1]]}"#, "/stages/0/deleteCells/1"),
        (#"{"deleteSections":[1,0]}"#, "/stages/0/deleteSections/1"),
        (
            #"{"insertCells":[{"at":[0,1],"cells":[{"id":"8","type":"t"}]},{"at":[0,0],"cells":[{"id":"9","type":"t"}]}]}"#,
            "/stages/0/insertCells/1"
        ),
        (
            #"{"insertSections":[{"at":1,"section":{"id":"c","cells":[]}},{"at":0,"section":{"id":"d","cells":[]}}]}"#,
            "/stages/0/insertSections/1"
        ),
    ])
    func deletesAndInsertsInDescendingOrderAreRejected(stage: String, pointer: String) throws {
        #expect(try refusals(stage) == [Refusal(pointer, .notAscending)])
    }

    @Test func allFaultsOfAStageAreReported() throws {
        let expected = [Refusal("/stages/0/deleteCells/0", .outOfBounds(count: 3)), Refusal("/stages/0/moveCells/1", .targetTwice)]
        let refused = try refusals(#"{"deleteCells":[[0,3,1]],"moveCells":[[0,0,1,0,1],[0,1,1,0,1]]}"#)
        #expect(refused.count == 2 && expected.allSatisfy(refused.contains), "\(refused)")
    }
}
