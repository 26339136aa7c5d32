import HTTPServer
import RawClient
import ScreenWire
import Synchronization
import Testing

@testable import ScreenHTTP
@testable import ScreenService

@Suite("The limits of a caller") struct CallerLimitsTests {
    /// A handler that suspends its work until it is opened, and counts the works that have begun.
    private final class Gate: Sendable {
        private let opened = AsyncStream.makeStream(of: Void.self)
        private let count = Atomic(0)

        var begunCount: Int { count.load(ordering: .acquiring) }

        func pass() async {
            count.add(1, ordering: .acquiringAndReleasing)
            for await _ in opened.stream {}
        }

        func open() { opened.continuation.finish() }
    }

    private static func bounds(_ requestsPerSecond: Int = 1000, concurrent: Int = 4) -> CallerLimits.Bounds {
        CallerLimits.Bounds(requestsPerSecond: requestsPerSecond, concurrentRequests: concurrent, waitingRequests: 0)
    }

    private static func request(
        _ target: String = "/screens", _ headers: Headers = [:], method: String = "GET", from address: String = "192.0.2.1"
    ) -> Request {
        Request(method: method, target: target, headers: headers, peer: NetworkAddress(address))
    }

    /// Returns the function that passes a request through a layer to a handler.
    private static func passing(
        _ layer: any Middleware, to handler: @escaping @Sendable (Request) -> Reply
    ) -> @Sendable (Request) -> Reply {
        let next = layer.around { (context: consuming RequestContext) in handler(context.request) }
        return { next(RequestContext($0)) }
    }

    private static let done = Answer.response(Response(status: 200, headers: [:], body: []))

    @Test func aRequestOverTheRateIsRejectedAfterAPause() async throws {
        let pauses = Gate()
        pauses.open()
        let limits = CallerLimits(Self.bounds(1), now: { 0 }, pause: pauses.pass)
        let ask = Self.passing(limits.afterAuthentication) { _ in .now(Self.done) }
        for _ in 0..<2 { #expect(try await ask(Self.request()).answer.status == 200) }
        #expect(pauses.begunCount == 0)
        let rejection = try RawResponse(try await ask(Self.request()).answer, to: "GET")
        try rejection.expectProblem("too-many-requests", 429)
        #expect(rejection.headers["Retry-After"] == "1" && pauses.begunCount == 1)
        #expect(try await ask(Self.request(from: "192.0.2.2")).answer.status == 200)
    }

    @Test(arguments: [(nil, ProblemDocument.Outcome.notPerformed), ("key", .unknown)])
    func aRejectedActionMayHaveBeenPerformedBeforeOnlyUnderItsKey(key: String?, outcome: ProblemDocument.Outcome) async throws {
        let limits = CallerLimits(Self.bounds(1), now: { 0 }, pause: {})
        let (api, _) = try await Site.parts(publicFolder: nil, middleware: [FixedCaller(.user("ada")), limits.afterAuthentication])
        var headers: Headers = ["Content-Type": "application/json"]
        if let key { headers.append("Idempotency-Key", key) }
        let action = Self.request("/screens/notes/actions/add", headers, method: "POST")
        for _ in 0..<2 { _ = try await api.reply(to: Self.request()).answer }
        let rejection = try RawResponse(try await api.reply(to: action).answer(reading: .success([])), to: "POST")
        try rejection.expectProblem("too-many-requests", 429, outcome: outcome)
    }

    @Test func aCallerWithTooMuchWorkIsRejectedAndOthersAreNot() async throws {
        let limits = CallerLimits(Self.bounds(concurrent: 1), now: { 0 }, pause: {})
        let gate = Gate()
        let ask = Self.passing(limits.afterAuthentication) { request in
            request.target == "/cached"
                ? .now(Self.done)
                : .later {
                    await gate.pass()
                    return Self.done
                }
        }
        let first = Task { try await ask(Self.request()).answer }
        while gate.begunCount < 1 { await Task.yield() }
        try RawResponse(try await ask(Self.request()).answer, to: "GET").expectProblem("too-many-requests", 429)
        #expect(try await ask(Self.request("/cached")).answer.status == 200, "no work is needed")
        let other = Task { try await ask(Self.request(from: "192.0.2.2")).answer }
        while gate.begunCount < 2 { await Task.yield() }
        gate.open()
        #expect(try await first.value.status == 200)
        #expect(try await other.value.status == 200)
    }

    @Test func theWorkThatFollowsABodyIsLimitedAndAWaitForChangesIsNot() async throws {
        let limits = CallerLimits(Self.bounds(concurrent: 1), now: { 0 }, pause: {})
        let gate = Gate()
        let work: @Sendable () async -> Answer = {
            await gate.pass()
            return Self.done
        }
        let ask = Self.passing(limits.afterAuthentication) { request in
            request.target == "/waiting" ? .waiting(work) : .reading { _ in .later(work) }
        }
        let tasks = ["/body", "/waiting", "/waiting"].map { target in Task { try await ask(Self.request(target)).answer } }
        while gate.begunCount < 3 { await Task.yield() }
        try RawResponse(try await ask(Self.request("/body")).answer, to: "POST").expectProblem("too-many-requests", 429)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
    }

    @Test func anAddressVerifiesFewTokensAtOnce() async throws {
        let limits = CallerLimits(Self.bounds(concurrent: 1), now: { 0 }, pause: {})
        let gate = Gate()
        let ask = Self.passing(limits.beforeAuthentication) { _ in
            .deferred {
                await gate.pass()
                return .now(Self.done)
            }
        }
        let token: Headers = ["Authorization": "Bearer a.b.c"]
        let first = Task { try await ask(Self.request("/screens", token)).answer }
        while gate.begunCount < 1 { await Task.yield() }
        try RawResponse(try await ask(Self.request("/screens", token)).answer, to: "GET").expectProblem("too-many-requests", 429)
        gate.open()
        #expect(try await first.value.status == 200)
        #expect(try await ask(Self.request("/screens", token)).answer.status == 200)
    }

    @Test func aRequestThatWaitsForChangesTakesATurnOnlyToCompute() async throws {
        let limits = CallerLimits(Self.bounds(concurrent: 1), now: { 0 }, pause: {})
        let gate = Gate()
        let ask = Self.passing(limits.afterAuthentication) { request in
            guard request.target == "/changes" else {
                return .later {
                    await gate.pass()
                    return Self.done
                }
            }
            return .waiting { try await CallerTurn.run { Self.done } }
        }
        #expect(try await ask(Self.request("/changes")).answer.status == 200)
        let busy = Task { try await ask(Self.request()).answer }
        while gate.begunCount < 1 { await Task.yield() }
        try RawResponse(try await ask(Self.request("/changes")).answer, to: "GET").expectProblem("too-many-requests", 429)
        gate.open()
        #expect(try await busy.value.status == 200)
    }

    @Test func anAddressWithManyRejectedTokensMustWait() async throws {
        let limits = CallerLimits(Self.bounds(1), now: { 0 }, pause: {})
        let ask = Self.passing(limits.beforeAuthentication) { request in
            request.headers["Authorization"] == "Bearer good"
                ? .now(Self.done) : .deferred { .response(Response(status: 401, headers: [:], body: [])) }
        }
        let (good, bad): (Headers, Headers) = (["Authorization": "Bearer good"], ["Authorization": "Bearer bad"])
        for _ in 0..<10 { #expect(try await ask(Self.request("/screens", good)).answer.status == 200) }
        for _ in 0..<2 { #expect(try await ask(Self.request("/screens", bad)).answer.status == 401) }
        #expect(try await ask(Self.request("/screens", bad)).answer.status == 429)
        #expect(try await ask(Self.request("/screens", good)).answer.status == 200, "a neighbour with a known token")
        #expect(try await ask(Self.request("/screens", bad, from: "192.0.2.2")).answer.status == 401)
    }
}
