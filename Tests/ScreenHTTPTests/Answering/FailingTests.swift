import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@Suite(.serialized) struct FailingTests {
    private struct Secret: Error {
        let password = "hunter2"
    }

    @Test(arguments: Transport.allCases)
    func anUnexpectedErrorIsAnsweredWith500WithoutDetailAndAffectsNoOtherRequest(_ transport: Transport) async throws {
        let site = try await transport.serve()
        site.notes.fail(with: Secret())
        for answer in [try await site.get("/screens/notes"), try await site.changes("/screens/notes/changes", since: "x")] {
            try answer.expectProblem("internal-error", 500)
            #expect(!answer.text.contains("Secret") && !answer.text.contains("hunter2"))
        }
        site.notes.fail(with: nil)
        #expect(try await site.get("/screens/notes").status == 200)
        #expect(try await site.metrics()["relist_failures_total"] == 2)
    }

    @Test(arguments: Transport.allCases)
    func theResponseHasARetryAfterFieldWhileTheDataIsUnavailable(_ transport: Transport) async throws {
        let site = try await transport.serve()
        site.notes.fail(with: DataUnavailable(reason: "the database is busy"))
        let answer = try await site.get("/screens/notes")
        #expect(try answer.expectProblem("unavailable", 503).contains("the database is busy"))
        #expect(answer.headers["Retry-After"] == "1")
        site.notes.fail(with: nil)
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases)
    func aCachedViewIsServedWhileTheDataIsUnavailable(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let version = try await site.get("/screens/notes").version
        site.notes.fail(with: DataUnavailable(reason: "away"))
        #expect(try await site.get("/screens/notes").version == version)
        #expect(try await site.get("/screens/notes?limit=1").status == 503)
    }

    @Test(
        arguments: Transport.allCases,
        [
            (DeadlineFault.notComputed, "unavailable", 503, "1"), (.tooManyStragglers, "unavailable", 503, "1"),
            (.viewIsStraggler, "unavailable", 503, "1"),
            (.notPerformed, "unavailable", 503, "1"),
            (.outcomeUnknown(hasKey: true), "outcome-unknown", 500, "1"), (.outcomeUnknown(hasKey: false), "outcome-unknown", 500, nil),
            (.tooManyAtOnce, "unavailable", 503, "1"),
        ] as [(DeadlineFault, String, Int, String?)])
    func aDeadlineProblemHasARetryAfterFieldIfARetryIsSafe(_ transport: Transport, _ example: (DeadlineFault, String, Int, String?))
        async throws
    {
        let site = try await transport.serve()
        let (fault, type, status, retryAfter) = example
        site.notes.fail(with: fault)
        let json: Headers = ["Content-Type": "application/json"]
        let answer = try await site.post("/screens/notes/actions/add", #"{"input":{"te/xt":"a"}}"#, json)
        try answer.expectProblem(type, status, outcome: status == 500 ? .unknown : .notPerformed)
        #expect(answer.headers["Retry-After"] == retryAfter)
    }

    @Test(arguments: Transport.allCases)
    func anActionHasAnUnknownOutcomeIfItsHandlerThrowsAnUnexpectedError(_ transport: Transport) async throws {
        let site = try await transport.serve()
        site.notes.fail(with: Secret())
        let answer = try await site.post("/screens/notes/actions/add", #"{"input":{"te/xt":"a"}}"#, ["Content-Type": "application/json"])
        try answer.expectProblem("internal-error", 500, outcome: .unknown)
        #expect(!answer.text.contains("hunter2"))
    }
}
