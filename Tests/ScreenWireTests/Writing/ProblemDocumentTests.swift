import ScreenWire
import Testing

@Suite("Problem documents") struct ProblemDocumentTests {
    @Test func aProblemDocumentOmitsAnEmptyListOfErrors() {
        let problem = ProblemDocument(type: "about:blank", title: "Not Found", status: 404, detail: "No screen \"x\".")
        #expect(
            String(decoding: problem.bytes, as: UTF8.self)
                == #"{"type":"about:blank","title":"Not Found","status":404,"detail":"No screen \"x\"."}"#
        )
    }

    @Test func aProblemDocumentContainsTheOutcomeOfTheAction() {
        let problem = ProblemDocument(type: "urn:a", title: "T", status: 500, detail: "D", outcome: .notPerformed)
        #expect(
            String(decoding: problem.bytes, as: UTF8.self)
                == #"{"type":"urn:a","title":"T","status":500,"detail":"D","outcome":"not-performed"}"#
        )
    }

    @Test func eachErrorInAProblemHasThePointerOrTheParameterOfTheInvalidPart() {
        let problem = ProblemDocument(
            type: "urn:a", title: "T", status: 400, detail: "D",
            errors: [.init(at: .pointer("/input/weight"), "must be a number"), .init(at: .parameter("limit"), "is unknown")]
        )
        #expect(
            String(decoding: problem.bytes, as: UTF8.self)
                == #"{"type":"urn:a","title":"T","status":400,"detail":"D","errors":["#
                + #"{"pointer":"/input/weight","detail":"must be a number"},{"parameter":"limit","detail":"is unknown"}]}"#
        )
    }

    @Test func readingAWrittenProblemDocumentReturnsAnEqualProblem() throws {
        let problem = ProblemDocument(
            type: "urn:a", title: "T", status: 422, detail: "D",
            errors: [.init(at: .pointer("/input/weight"), "must be a number"), .init(at: .parameter("limit"), "is unknown")],
            outcome: .notPerformed
        )
        #expect(try ProblemDocument(JSONReader.read(problem.bytes), status: 500) == problem)
    }

    @Test func membersOfAProblemThatAreMissingOrHaveAnotherTypeAreIgnored() throws {
        let text = #"{"type":7,"status":"x","title":null,"errors":[7,{"detail":"d"},{"pointer":"/a"}],"outcome":"later","instance":"/1"}"#
        let expected = ProblemDocument(type: "about:blank", title: "", status: 502, detail: "", errors: [.init(at: .pointer("/a"), "")])
        #expect(try ProblemDocument(JSONReader.read(Array(text.utf8)), status: 502) == expected)
        #expect(throws: DocumentFaults.self) { try ProblemDocument(.array([]), status: 502) }
    }
}
