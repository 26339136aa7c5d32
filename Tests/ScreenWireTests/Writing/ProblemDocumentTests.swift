import ScreenWire
import Testing

@Suite("Problem documents") struct ProblemDocumentTests {
    @Test func errorsAreLeftOutWhereThereAreNone() {
        let problem = ProblemDocument(type: "about:blank", title: "Not Found", status: 404, detail: "No screen \"x\".")
        #expect(
            String(decoding: problem.bytes, as: UTF8.self)
                == #"{"type":"about:blank","title":"Not Found","status":404,"detail":"No screen \"x\"."}"#
        )
    }

    @Test func aProblemOfAnActionHasTheOutcome() {
        let problem = ProblemDocument(type: "urn:a", title: "T", status: 500, detail: "D", outcome: .notPerformed)
        #expect(
            String(decoding: problem.bytes, as: UTF8.self)
                == #"{"type":"urn:a","title":"T","status":500,"detail":"D","outcome":"not-performed"}"#
        )
    }

    @Test func eachErrorNamesAPointerOrAParameter() {
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
}
