import ContentCoding
import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Synchronization
import Testing

@testable import ScreenHTTP

/// Tests of event streams. If a stream does not send an expected event, its test fails at the time limit.
@Suite(.serialized, .timeLimit(.minutes(1))) struct StreamTests {
    private static let path = "/screens/notes/changes"
    private static let longer = (1...12).map { "note \($0)" }

    private func version(_ site: LiveSite, _ target: String = "/screens/notes") async throws -> String {
        try await site.ask("GET", target).version
    }

    /// Returns the event that a stream should send. The event contains the response to a request for changes since the version.
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

    @Test(arguments: LiveSite.codings) func aStreamSendsASnapshotAndAChangesetAsServerSentEvents(coding: ContentCoding?) async throws {
        let site = try await LiveSite(coding: coding)
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

    /// Returns the event that reports a version as current.
    private func current(_ version: String) -> String {
        "event: current\nid: \(version)\ndata: {\"version\":\"\(version)\"}\n\n"
    }

    @Test func theBytesOfEventsAreCountedBesideTheBytesOfSnapshots() async throws {
        let site = try await LiveSite(coding: nil)
        let (_, client) = try await site.listen(Self.path)
        _ = try await client.event()
        var (bytes, snapshotBytes) = (0, 0)
        for isFirst in [true, false] {
            if !isFirst { site.notes.set("inbox", to: Self.longer) }
            let document = try #require(try await client.event()?.split(separator: "\ndata: ").last)
            bytes += document.utf8.count - "\n\n".utf8.count
            snapshotBytes += try await site.ask("GET", "/screens/notes").body.count
        }
        let metrics = try ScrapedMetrics(await site.ask("GET", "/metrics").text)
        #expect(metrics["relist_event_bytes_total"] == Double(bytes))
        #expect(metrics["relist_event_snapshot_bytes_total"] == Double(snapshotBytes))
    }

    @Test(arguments: LiveSite.codings) func aStreamRequestedWithTheNewestVersionBeginsWithTheEventNamedCurrent(coding: ContentCoding?)
        async throws
    {
        let site = try await LiveSite(coding: coding)
        let old = try await version(site)
        // When the first stream begins, no other stream follows the view. When the second stream begins, the first stream may still follow
        // the view.
        for _ in 0..<2 {
            let client = try await site.stream("\(Self.path)?version=\(old)")
            #expect(try await client.event() == current(old))
        }
        let client = try await site.stream(Self.path, ["Last-Event-ID": old])
        #expect(try await client.event() == current(old))
        site.notes.set("inbox", to: ["new", "1", "2", "3", "4", "5"])
        #expect(try await client.event() == event("changeset", since: old, site))
        await site.stop()
    }

    @Test(arguments: LiveSite.codings) func aStreamReportsWhenItsViewCannotBeRefreshedAndWhenItIsCurrentAgain(coding: ContentCoding?)
        async throws
    {
        let site = try await LiveSite(coding: coding)
        let old = try await version(site)
        let client = try await site.stream("\(Self.path)?version=\(old)")
        #expect(try await client.event() == current(old))
        let same = ["1", "2", "3", "4", "5"]
        for _ in 0..<2 {
            site.notes.fail(with: DataUnavailable(reason: "away"))
            site.notes.set("inbox", to: same)
            #expect(try await client.event() == "event: stale\ndata: {}\n\n")
            site.notes.fail(with: nil)
            site.notes.set("inbox", to: same)
            #expect(try await client.event() == current(old))
        }
        await site.stop()
    }

    @Test(arguments: LiveSite.codings) func theLastEventIDFieldTakesPrecedenceOverTheVersionInTheQuery(coding: ContentCoding?) async throws
    {
        let site = try await LiveSite(coding: coding)
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

    @Test(arguments: LiveSite.codings) func aCallerAboveItsLimitOfFollowedViewsIsRejected(coding: ContentCoding?) async throws {
        let site = try await LiveSite(coding: coding, following: FollowingBounds(views: 2, callerShare: 50))
        let first = try await site.stream(Self.path)
        let (refusal, _) = try await site.listen("\(Self.path)?limit=2")
        try refusal.expectProblem("too-many-requests", 429)
        #expect(refusal.headers["Retry-After"] == "1")
        // A second stream of a followed view is allowed, because each view is counted only once.
        let second = try await site.stream(Self.path)
        for client in [first, second] { try await client.leave() }
        await site.stop()
    }

    @Test(arguments: LiveSite.codings) func aRequestForAStreamThatCannotStartIsAnsweredWithAProblem(coding: ContentCoding?) async throws {
        let site = try await LiveSite(coding: coding)
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

    @Test(arguments: LiveSite.codings) func aHEADRequestForAStreamReceivesTheFieldsOfTheStreamAndNoBody(coding: ContentCoding?) async throws
    {
        let site = try await LiveSite(coding: coding)
        let client = try await RawClient(site.address)
        let head = try await client.ask(Request(method: "HEAD", target: Self.path, headers: ["Accept": "text/event-stream"]))
        #expect(head.status == 200)
        #expect(head.headers["Content-Type"] == "text/event-stream")
        #expect(try await client.rest().isEmpty)
        #expect(site.followedCount == 0)
        await site.stop()
    }

    @Test(arguments: LiveSite.codings) func onlyGETRequestsForChangesCanBeAnsweredWithAStream(coding: ContentCoding?) async throws {
        let site = try await LiveSite(coding: coding)
        for target in ["/screens", "/screens/notes"] {
            try await site.listen(target).0.expectProblem("not-acceptable", 406)
        }
        let posted = try await site.ask("POST", Self.path, ["Accept": "text/event-stream"], "{}")
        try posted.expectProblem("not-acceptable", 406)
        await site.stop()
    }

    @Test(arguments: LiveSite.codings) func aDrainingServerSendsARetryTimeAndEndsEachStream(coding: ContentCoding?) async throws {
        let site = try await LiveSite(coding: coding)
        let old = try await version(site)
        let client = try await site.stream("\(Self.path)?version=\(old)")
        #expect(try await client.event() == current(old))
        site.drain()
        #expect(try await client.event() == "retry: 2000\n\n")
        #expect(try await client.event() == nil)
        let late = try await site.stream("\(Self.path)?version=\(old)")
        #expect(try await late.event() == "retry: 2000\n\n")
        #expect(try await late.event() == nil)
        await site.stop()
    }

    @Test(arguments: LiveSite.codings) func eachStreamHasItsOwnRetryTime(coding: ContentCoding?) async throws {
        let times = Mutex([4321, 1234])
        let site = try await LiveSite(coding: coding, retry: { times.withLock { $0.removeLast() } })
        let old = try await version(site)
        for time in [1234, 4321] {
            let (_, client) = try await site.listen("\(Self.path)?version=\(old)")
            #expect(try await client.event() == "retry: \(time)\n\n")
        }
        await site.stop()
    }

    @Test func theRetryTimeIsBetweenOneAndFiveSeconds() async throws {
        let site = try await LiveSite()
        let api = ScreenAPI(service: site.api.service, publicFolder: nil, middleware: [FixedCaller(.user("ada"))], logger: .quiet)
        let server = HTTPServer(serving: api)
        let client = try await RawClient(try server.start())
        _ = try await client.ask(Request(method: "GET", target: Self.path, headers: ["Accept": "text/event-stream"]))
        #expect(try await client.receivesReconnectionTime())
        api.drain()
        await server.stop(grace: .zero)
        await site.stop()
    }

    // MARK: - Slow readers and streams without changes

    private static let stepCount = 12

    /// Returns a hundred notes. In each step, 40 of the notes are new. The changeset between two steps is larger than all buffers together.
    private func notes(of step: Int) -> [String] {
        (1...60).map { "kept \($0)" } + (1...40).map { "\(step) \($0) " + String(repeating: "long ", count: 120) }
    }

    /// Returns the source version and the target version of the changeset in an event.
    private func versions(_ event: String?) throws -> (from: String?, to: String?) {
        let data = try #require(event?.split(separator: "\n").first { $0.hasPrefix("data: ") })
        let document = try JSONReader.read(Array(data.utf8.dropFirst(6)))
        return (document["from"]?.text, document["version"]?.text)
    }

    @Test func aSlowReaderReceivesFewerAndLargerEvents() async throws {
        let site = try await LiveSite(sendBuffer: 4096)
        site.notes.set("inbox", to: notes(of: 0))
        let first = try await site.ask("GET", "/screens/notes").version
        var (held, newest): (String?, String?) = (first, first)
        let target = "\(Self.path)?version=\(first)"
        let (slow, quick) = (try await site.stream(target, receiveBuffer: 4096), try await site.stream(target))
        for client in [slow, quick] { #expect(try await client.event() == current(first)) }
        for step in 1...Self.stepCount {
            site.notes.set("inbox", to: notes(of: step))
            let step = try versions(await quick.event())
            try #require(step.from == newest)
            newest = step.to
        }
        var count = 0
        repeat {
            let step = try versions(await slow.event())
            try #require(step.from == held)
            held = step.to
            count += 1
        } while held != newest
        #expect(count < Self.stepCount / 2)
        await site.stop()
    }

    @Test func aSilentStreamSendsACommentEveryFifteenSeconds() async throws {
        let site = try await LiveSite()
        let request = Request(method: "GET", target: Self.path, headers: ["Accept": "text/event-stream"])
        do {
            guard case .stream(let response) = try await site.api.reply(to: request).answer else {
                Issue.record("the response is not a stream")
                return
            }
            let stream = response.makeBody(StreamWaker(NoConnection()))
            #expect(response.heartbeatInterval == .seconds(15) && stream.heartbeat()?.bytes == Array(":\n\n".utf8))
            #expect(site.followedCount == 1)
        }
        // The stream was released and never sent, so its view is no longer followed.
        #expect(site.followedCount == 0)
        await site.stop()
    }
}

private final class NoConnection: StreamWaking {
    func wake() {}
}
