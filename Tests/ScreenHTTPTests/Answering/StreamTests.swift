import HTTPServer
import Logging
import RawClient
@testable import ScreenHTTP
import ScreenService
import ScreenWire
import Synchronization
import Testing

/// Who waits for what never comes would wait for good.
@Suite(.serialized, .timeLimit(.minutes(1))) struct StreamTests {
    private static let path = "/screens/notes/changes"
    private static let longer = (1...12).map { "note \($0)" }

    private func version(_ site: LiveSite, _ target: String = "/screens/notes") async throws -> String {
        try await site.ask("GET", target).version
    }

    /// The event that brings what a request for changes is answered with.
    private func event(_ kind: String, since version: String?, _ site: LiveSite, _ target: String = path) async throws -> String {
        let answer: RawResponse
        if let version {
            answer = try await site.ask("POST", target, [:], #"{"version":"\#(version)"}"#)
        } else {
            answer = try await site.ask("GET", target)
        }
        #expect(try answer.json["kind"]?.text == kind)
        #expect(!answer.body.contains(UInt8(ascii: "\n")))
        return "event: \(kind)\nid: \(try answer.version)\ndata: \(answer.text)\n\n"
    }

    @Test func aStreamIsWhatAnEventSourceReads() async throws {
        let site = try await LiveSite()
        let (head, client) = try await site.listen(Self.path)
        #expect(head.status == 200)
        #expect(head.headers["Content-Type"] == "text/event-stream")
        #expect(head.headers["Cache-Control"] == "no-store" && head.headers["Vary"] == nil)
        #expect(head.headers["Content-Language"] == "en")
        #expect(head.headers["Content-Length"] == nil)
        #expect(try await client.event() == "retry: 2000\n\n")
        #expect(try await client.event() == event("snapshot", since: nil, site))
        let old = try await version(site)
        site.notes.set("inbox", to: ["new", "1", "2", "3", "4", "5"])
        #expect(try await client.event() == event("changeset", since: old, site))
        await site.stop()
    }

    @Test func theLastEventIDWinsOverTheVersion() async throws {
        let site = try await LiveSite()
        site.notes.set("inbox", to: Self.longer)
        let first = try await version(site)
        site.notes.set("inbox", to: Self.longer + ["13"])
        let second = try await version(site)
        site.notes.set("inbox", to: Self.longer + ["13", "14"])
        let resumed = try await site.stream("\(Self.path)?version=\(first)", ["Last-Event-ID": second])
        #expect(try await resumed.event() == event("changeset", since: second, site))
        let begun = try await site.stream("\(Self.path)?version=\(first)", ["Last-Event-ID": ""])
        #expect(try await begun.event() == event("changeset", since: first, site))
        await site.stop()
    }

    @Test func aCallerThatFollowsAsMuchAsItMayIsToldSo() async throws {
        let site = try await LiveSite(following: FollowingBounds(views: 2, callerShare: 50))
        let first = try await site.stream(Self.path)
        let (refusal, _) = try await site.listen("\(Self.path)?limit=2")
        try refusal.expectProblem("too-many-requests", 429)
        #expect(refusal.headers["Retry-After"] == "1")
        // Of the same view it may have another.
        let second = try await site.stream(Self.path)
        for client in [first, second] { try await client.leave() }
        await site.stop()
    }

    @Test func problemsComeBeforeTheStreamBegins() async throws {
        let site = try await LiveSite()
        let (unknown, _) = try await site.listen("/screens/none/changes")
        try unknown.expectProblem("unknown-screen", 404)
        let (invalid, _) = try await site.listen("\(Self.path)?limit=0&colour=red")
        try invalid.expectProblem("invalid-parameters", 400, at: ["parameter limit", "parameter colour"])
        let (missing, _) = try await site.listen("\(Self.path)?list=none")
        try missing.expectProblem("invalid-parameters", 400, at: ["parameter list"])
        site.notes.fail(with: DataUnavailable(reason: "away"))
        let (away, _) = try await site.listen(Self.path)
        try away.expectProblem("unavailable", 503)
        #expect(away.headers["Retry-After"] == "1")
        #expect(site.followedCount == 0)
        await site.stop()
    }

    @Test func headHasTheFieldsOfAStreamAndNoBody() async throws {
        let site = try await LiveSite()
        let client = try await RawClient(site.address)
        let head = try await client.ask(Request(method: "HEAD", target: Self.path, headers: ["Accept": "text/event-stream"]))
        #expect(head.status == 200)
        #expect(head.headers["Content-Type"] == "text/event-stream")
        #expect(try await client.rest().isEmpty)
        #expect(site.followedCount == 0)
        await site.stop()
    }

    @Test func onlyChangesStream() async throws {
        let site = try await LiveSite()
        for target in ["/screens", "/screens/notes"] {
            try await site.listen(target).0.expectProblem("not-acceptable", 406)
        }
        let posted = try await site.ask("POST", Self.path, ["Accept": "text/event-stream"], "{}")
        try posted.expectProblem("not-acceptable", 406)
        await site.stop()
    }

    @Test func drainingEndsAStreamWithAHintWhenToComeBack() async throws {
        let site = try await LiveSite()
        let old = try await version(site)
        let client = try await site.stream("\(Self.path)?version=\(old)")
        site.drain()
        #expect(try await client.event() == "retry: 2000\n\n")
        #expect(try await client.event() == nil)
        let late = try await site.stream("\(Self.path)?version=\(old)")
        #expect(try await late.event() == "retry: 2000\n\n")
        #expect(try await late.event() == nil)
        await site.stop()
    }

    @Test func eachStreamIsGivenATimeOfItsOwnToComeBackAfter() async throws {
        let times = Mutex([4321, 1234])
        let site = try await LiveSite(retry: { times.withLock { $0.removeLast() } })
        let old = try await version(site)
        for time in [1234, 4321] {
            let (_, client) = try await site.listen("\(Self.path)?version=\(old)")
            #expect(try await client.event() == "retry: \(time)\n\n")
        }
        await site.stop()
    }

    @Test func theTimeToComeBackAfterIsBetweenOneAndFiveSeconds() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let site = try await LiveSite()
        let api = ScreenAPI(service: site.api.service, publicFolder: nil, middleware: [FixedCaller(.user("ada"))], logger: logger)
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        let server = HTTPServer(configuration: configuration, logger: logger, handler: api.reply)
        let client = try await RawClient(try server.start())
        _ = try await client.ask(Request(method: "GET", target: Self.path, headers: ["Accept": "text/event-stream"]))
        #expect(try await client.isToldWhenToReturn())
        api.drain()
        await server.stop(grace: .zero)
        await site.stop()
    }
}
