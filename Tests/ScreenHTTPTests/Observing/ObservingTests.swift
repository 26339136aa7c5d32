import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

/// Tests of what observers receive. If an expected report does not come, a test fails at its time limit.
@Suite(.timeLimit(.minutes(1))) struct ObservingTests {
    /// A server whose requests are observed.
    private final class ObservedSite: Sendable {
        let notes: NoteStore
        private let api: ScreenAPI
        private let server: HTTPServer
        private let client: RawClient
        private let folder: Folder
        private let reports: AsyncStream<ObservedRequest>

        init() async throws {
            let (reports, continuation) = AsyncStream.makeStream(of: ObservedRequest.self)
            self.reports = reports
            folder = try Folder(["a.txt": "abc"])
            (api, notes) = try await Site.parts(publicFolder: folder.path, observers: [{ continuation.yield($0) }])
            server = HTTPServer(serving: api)
            client = try await RawClient(try server.start())
        }

        /// Sends a request, and returns the response and the report about it.
        func ask(
            _ method: String, _ target: String, _ headers: Headers = [:], _ body: String = ""
        ) async throws -> (response: RawResponse, report: ObservedRequest) {
            let response = try await client.ask(Request(method: method, target: target, headers: headers), body: Array(body.utf8))
            return (response, try #require(await reports.first { _ in true }))
        }

        /// Opens a stream, ends it by stopping the server, and returns the report about it.
        func stream(_ target: String) async throws -> ObservedRequest {
            _ = try await client.ask(Request(method: "GET", target: target, headers: ["Accept": "text/event-stream"]))
            _ = try await client.event()
            await stop()
            return try #require(await reports.first { _ in true })
        }

        func stop() async {
            api.drain()
            await server.stop(grace: .zero)
        }
    }

    private static let json: Headers = ["Content-Type": "application/json"]

    @Test func theKindOfASnapshotHasTheReasonAndTheBytes() async throws {
        let site = try await ObservedSite()
        for (target, kind) in [
            ("/screens/notes", ResponseKind.snapshot(nil)), ("/screens/notes/changes", .snapshot(.initial)),
            ("/screens/notes/changes?version=aaaaaaaaaaaaaaaaaaaaaaaaaa", .snapshot(.unknownVersion)),
        ] {
            let (response, report) = try await site.ask("GET", target)
            #expect(report.kind == kind && report.bodyBytes == response.body.count, "\(target)")
            #expect(report.status == 200 && report.isComplete && report.method == "GET" && report.screen == "notes")
        }
        await site.stop()
    }

    @Test func changesAreObservedWithTheBytesOfTheWholeSnapshot() async throws {
        let site = try await ObservedSite()
        site.notes.set("inbox", to: (0..<100).map(String.init))
        let (snapshot, first) = try await site.ask("GET", "/screens/notes")
        let target = try "/screens/notes/changes?version=\(snapshot.version)"
        let unchanged = try await site.ask("GET", target).report
        #expect(unchanged.kind == .unchanged && unchanged.snapshotBytes == snapshot.body.count)
        site.notes.set("inbox", to: (0..<99).map(String.init))
        let (changes, report) = try await site.ask("GET", target)
        #expect(report.kind == .changeset && report.bodyBytes == changes.body.count && report.route == "/screens/{screen}/changes")
        let now = try await site.ask("GET", "/screens/notes").response
        #expect(report.snapshotBytes == now.body.count && first.snapshotBytes == snapshot.body.count)
        await site.stop()
    }

    @Test func aCompressedResponseIsObservedWithItsKindAndItsSize() async throws {
        let site = try await ObservedSite()
        site.notes.set("inbox", to: (0..<100).map(String.init))
        // The first response is encoded later, and the second one is cached.
        for _ in 0..<2 {
            let (response, report) = try await site.ask("GET", "/screens/notes", ["Accept-Encoding": "gzip"])
            #expect(report.kind == .snapshot(nil) && response.headers["Content-Encoding"] == "gzip")
            #expect(report.bodyBytes == Int(response.headers["Content-Length"] ?? "") && report.bodyBytes < report.snapshotBytes ?? 0)
        }
        await site.stop()
    }

    @Test func aResponseWithoutBodyIsObservedWithItsKind() async throws {
        let site = try await ObservedSite()
        let snapshot = try await site.ask("GET", "/screens/notes").response
        let tag = try #require(snapshot.headers["ETag"])
        let notModified = try await site.ask("GET", "/screens/notes", ["If-None-Match": tag]).report
        #expect(notModified.kind == .notModified && notModified.status == 304 && notModified.bodyBytes == 0)
        #expect(notModified.snapshotBytes == snapshot.body.count)
        let headers: Headers = ["Content-Type": "application/json", "Prefer": "return=minimal"]
        let performed = try await site.ask("POST", "/screens/notes/actions/add", headers, #"{"input":{"te/xt":"a"}}"#).report
        #expect(performed.kind == .performed && performed.status == 204 && performed.route == "/screens/{screen}/actions/{action}")
        await site.stop()
    }

    @Test func aProblemIsObservedWithItsType() async throws {
        let site = try await ObservedSite()
        for (method, target, type) in [
            ("GET", "/screens/notes?limit=0", "invalid-parameters"), ("DELETE", "/screens/notes", "method-not-allowed"),
            ("GET", "/none", "not-found"), ("GET", "/screens/%zz", "invalid-target"),
        ] {
            let report = try await site.ask(method, target).report
            #expect(report.kind == .problem(type), "\(target)")
        }
        await site.stop()
    }

    @Test func filesAndOtherResponsesAreObserved() async throws {
        let site = try await ObservedSite()
        for (target, kind, route) in [
            ("/a.txt", ResponseKind.file, "/{file}"), ("/healthz", .other, "/healthz"), ("/screens", .other, "/screens"),
        ] {
            let report = try await site.ask("GET", target).report
            #expect(report.kind == kind && report.route == route && report.screen == nil)
        }
        await site.stop()
    }

    @Test func aStreamIsObservedWhenItEnds() async throws {
        let site = try await ObservedSite()
        let report = try await site.stream("/screens/notes/changes")
        #expect(report.kind == .stream && report.screen == "notes" && report.bodyBytes > 0)
    }

    @Test func textsThatAClientInventsAreNotObserved() async throws {
        let site = try await ObservedSite()
        let unknown = try await site.ask("GET", "/screens/secret").report
        #expect(unknown.screen == nil && unknown.route == "/screens/{screen}" && unknown.kind == .problem("unknown-screen"))
        let method = try await site.ask("SECRET", "/screens/notes").report
        #expect(method.method == "other" && method.screen == "notes")
        let path = try await site.ask("GET", "/secret/path").report
        #expect(path.route == "/{file}" && path.screen == nil)
        await site.stop()
    }

    @Test func theCallerIsTheUserOrElseTheAddress() async throws {
        let site = try await ObservedSite()
        #expect(try await site.ask("GET", "/screens/notes").report.caller == .address(high: 0, low: 0xFFFF_7F00_0001))
        await site.stop()
    }
}
