import RawClient
import Synchronization
import Testing

@testable import HTTPServer

/// Tests of the records of requests. If an expected report does not come, a test fails at its time limit.
@Suite(.timeLimit(.minutes(1))) struct RecordTests {
    private final class Note: Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    /// The reports of all records of a server, in order.
    private final class Reports: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: EndedResponse.self)
        let recordCount = Atomic(0)
        let reportCount = Atomic(0)

        @Sendable func makeRecord() -> any RequestRecording {
            recordCount.add(1, ordering: .relaxed)
            return Record(reports: self)
        }

        func note(_ response: EndedResponse) {
            reportCount.add(1, ordering: .relaxed)
            continuation.yield(response)
        }

        var next: EndedResponse? {
            get async { await stream.first { _ in true } }
        }
    }

    private final class Record: RequestRecording {
        let reports: Reports

        init(reports: Reports) {
            self.reports = reports
        }

        func ended(_ response: EndedResponse) { reports.note(response) }
    }

    private let reports = Reports()

    private func serve(
        now: @escaping @Sendable () -> Moment = { .now }, _ handler: @escaping HTTPServer.Handler,
        _ body: (BoundAddress, HTTPServer) async throws -> Void
    ) async throws {
        try await HTTPServerTests.serve(handler: handler, now: now, makeRecord: reports.makeRecord, body: body)
    }

    @Test(arguments: [("GET", 200, 4), ("HEAD", 200, 0), ("GET", 204, 0), ("GET", 304, 0), ("GET", 404, 4)])
    func aRecordReceivesTheStatusAndTheBytesOfTheBodyThatWasSent(_ method: String, _ status: Int, _ count: Int) async throws {
        let response = Response(status: status, body: Array("body".utf8))
        let replies: [String: Reply] = [
            "/now": .response(response), "/prepared": .prepared(PreparedResponse(response)), "/later": .later { .response(response) },
        ]
        try await serve({ replies[$0.target]! }) { address, _ in
            let client = try await RawClient(address)
            for target in replies.keys.sorted() {
                try await client.send("\(method) \(target) HTTP/1.1\r\nHost: test\r\n\r\n")
                _ = try await client.response(hasBody: count > 0)
                let report = try #require(await reports.next)
                #expect((report.status, report.bodyBytes, report.isComplete) == (status, count, true), "\(target)")
            }
        }
    }

    @Test func theDurationEndsWithTheResponse() async throws {
        let clock = ManualClock()
        let handler: HTTPServer.Handler = { _ in
            clock.advance(by: .milliseconds(5))
            return .response(text("late"))
        }
        try await serve(now: clock.now, handler) { address, _ in
            _ = try await RawClient(address).ask(get("/"))
            #expect(await reports.next?.duration == .milliseconds(5))
        }
    }

    @Test func theNoteOfAResponseReachesTheRecord() async throws {
        let response = Response(body: Array("a".utf8), note: Note("cached"))
        let replies: [String: Reply] = [
            "/now": .response(response), "/prepared": .prepared(PreparedResponse(response)),
            "/marked": .prepared(PreparedResponse(response)).marked("x"),
        ]
        try await serve({ replies[$0.target] ?? .response(text("plain")) }) { address, _ in
            let client = try await RawClient(address)
            for (target, note) in [("/now", "cached"), ("/prepared", "cached"), ("/plain", nil), ("/marked", "cached")] {
                _ = try await client.ask(get(target))
                #expect((await reports.next?.note as? Note)?.text == note, "\(target)")
            }
        }
    }

    @Test func aConnectionHasOneRecordForAllItsRequests() async throws {
        try await serve(echo) { address, server in
            let client = try await RawClient(address)
            for _ in 0..<3 { _ = try await client.ask(get("/")) }
            await server.stop(grace: .zero)
            #expect(reports.recordCount.load(ordering: .relaxed) == 1)
            #expect(reports.reportCount.load(ordering: .relaxed) == 3)
        }
    }

    @Test func aStreamIsReportedAtItsEndWithTheBytesOfItsParts() async throws {
        try await serve({ _ in .stream(Script(.text("abc"), .text("de"), .end).response()) }) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/"))
            _ = try await client.chunks()
            let report = try #require(await reports.next)
            #expect((report.status, report.bodyBytes, report.isComplete) == (200, 5, true))
        }
    }

    @Test func anInterruptedStreamIsReportedAsIncompleteWithItsBytes() async throws {
        let script = Script(.text("abc"))
        try await serve({ _ in .stream(script.response()) }) { address, server in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/"))
            await script.paused.pass()
            await server.stop(grace: .zero)
            withExtendedLifetime(client) {}
            let report = try #require(await reports.next)
            #expect((report.status, report.bodyBytes, report.isComplete) == (200, 3, false))
        }
    }

    @Test func aRequestWhoseConnectionEndsBeforeItsResponseHasNoStatus() async throws {
        let held = Gate()
        try await serve({ _ in held.later(text("late")) }) { address, server in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            await server.stop(grace: .zero)
            let report = try #require(await reports.next)
            #expect((report.status, report.bodyBytes, report.isComplete) == (nil, 0, false))
            held.open()
        }
    }

    @Test func aConnectionWithoutARequestIsNotReported() async throws {
        try await serve(echo) { address, server in
            let client = try await RawClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: te")
            try await client.leave()
            _ = try await RawClient(address).ask(get("/"))
            await server.stop(grace: .zero)
            #expect(reports.reportCount.load(ordering: .relaxed) == 1)
        }
    }
}
