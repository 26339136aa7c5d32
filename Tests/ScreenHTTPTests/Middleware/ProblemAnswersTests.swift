import HTTPServer
import Logging
@testable import ScreenHTTP
import ScreenService
import Testing

/// Each layer alone.
struct ProblemAnswersTests {
    private struct Unforeseen: Error {}

    private var context: RequestContext { RequestContext(Request(method: "GET", target: "/"), decisiveFields: ["Tenant"]) }
    private let problems = ProblemAnswers(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    @Test(arguments: [
        (Refusal.bodyTooLarge(limit: 1), 413, "body-too-large"), (.chunked, 411, "length-required"),
        (.headTooLong, 431, "head-too-large"), (.expectation, 417, "unmet-expectation"),
        (.tooManyConnections, 503, "unavailable"), (.host(count: 0), 400, "invalid-request"),
        (.unknownTransferCoding, 501, "not-implemented"),
    ])
    func aRefusalIsAProblemOfItsKind(_ example: (refusal: Refusal, status: Int, type: String)) throws {
        let request = Request(method: "GET", target: "/", refusal: example.refusal)
        let error = #expect(throws: Problem.self) {
            try RefusedRequests().reply(to: RequestContext(request)) { _ in .response(Response()) }
        }
        #expect(error?.kind.rawValue == example.type)
        #expect(error?.kind.status == example.status)
        #expect(error?.detail == example.refusal.detail)
    }

    @Test func whatIsNotRefusedIsPassedOn() throws {
        let reply = try RefusedRequests().reply(to: context) { _ in .response(Response(status: 201)) }
        guard case .now(let answer) = reply.content else { throw Unforeseen() }
        #expect(answer.status == 201)
    }

    @Test func whatIsThrownNowOrLaterIsAProblem() async throws {
        let problem = Problem(kind: .notFound, detail: "Gone.")
        let replies = [
            problems.reply(to: context) { _ in throw problem },
            problems.reply(to: context) { _ in .later { throw problem } },
            problems.reply(to: context) { _ in .waiting { throw problem } },
        ]
        for reply in replies {
            let answer = try await reply.answer
            #expect(answer.status == 404)
            #expect(answer.headers["Vary"] == "Tenant")
        }
        #expect(try await problems.reply(to: context) { _ in throw Unforeseen() }.answer.status == 500)
        #expect(try await problems.reply(to: context) { _ in .later { throw Unforeseen() } }.answer.status == 500)
    }

    @Test func whatIsAnsweredStaysAsItIs() async throws {
        let reply = problems.reply(to: context) { _ in .later { .response(Response(status: 202)) } }
        #expect(try await reply.answer.status == 202)
    }

    @Test func aFixedCallerAsksWhoeverAsked() async throws {
        let reply = try FixedCaller(.user("eve")).reply(to: context) { context in
            .response(Response(headers: ["User": context.caller.user ?? "nobody"]))
        }
        #expect(try await reply.answer.headers["User"] == "eve")
    }
}
