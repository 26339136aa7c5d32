import HTTPServer
@testable import ScreenHTTP
import ScreenService
import Testing

/// The problems of requests that are refused, each layer alone.
struct RefusingTests {
    private struct Unforeseen: Error {}

    private var context: RequestContext { RequestContext(Request(method: "GET", target: "/"), decisiveFields: ["Tenant"]) }

    @Test(arguments: [
        (Refusal.bodyTooLarge(limit: 1), 413, "body-too-large"), (.chunked, 411, "length-required"),
        (.headTooLong, 431, "head-too-large"), (.expectation, 417, "unmet-expectation"),
        (.tooManyConnections, 503, "unavailable"), (.host(count: 0), 400, "invalid-request"),
        (.unknownTransferCoding, 501, "not-implemented"),
    ])
    func aRefusalIsAProblemOfItsKind(_ example: (refusal: Refusal, status: Int, type: String)) throws {
        let problem = try #require(Problem(example.refusal as any Error))
        #expect(problem.kind.rawValue == example.type)
        #expect(problem.kind.status == example.status)
        #expect(problem.detail == example.refusal.detail)
    }

    @Test func aLayerRefusesWithTheProblemThatAnErrorIs() async throws {
        for (error, status) in [(Problem(kind: .notFound, detail: "Gone."), 404), (Unforeseen(), 500)] as [(any Error, Int)] {
            let answer = try await context.refused(by: error).answer
            #expect(answer.status == status)
            #expect(answer.headers["Vary"] == "Tenant")
        }
    }

    @Test func aCopyOfTheContextHasAllThatLayersHaveFound() throws {
        var context = self.context
        context.caller = .user("eve")
        context.clientAddress = NetworkAddress("192.0.2.1")
        context.deadline = .after(.seconds(1))
        let copy = context.copy()
        let (user, address, hasDeadline, fields) = (copy.caller.user, copy.clientAddress, copy.deadline != nil, copy.decisiveFields)
        #expect(user == "eve" && address != nil && hasDeadline && fields == ["Tenant"])
    }

    @Test func aFixedCallerAsksWhoeverAsked() async throws {
        let reply = FixedCaller(.user("eve")).reply(to: context) { context in
            .response(Response(headers: ["User": context.caller.user ?? "nobody"]))
        }
        #expect(try await reply.answer.headers["User"] == "eve")
    }
}
