import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@Suite(.serialized) struct ComputingTests {
    private static let computations = "relist_computations_total"

    @Test(arguments: Transport.allCases)
    func anUnchangedScreenIsComputedOnce(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.metrics()[Self.computations] == 0)
        for query in ["", "?", "?list=inbox", "?order=given&limit=100", "?limit=0100", "?locale=en-GB"] {
            #expect(try await site.get("/screens/notes\(query)").status == 200)
            #expect(try await site.metrics()[Self.computations] == 1, "\(query)")
        }
    }

    @Test(arguments: Transport.allCases)
    func theMetricsContainNumbersOfEventsAndSizesOfCachedData(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let names = [
            Self.computations, "relist_failures_total", "relist_diffs_total", "relist_renamed_ids_total",
            "relist_cached_views", "relist_cached_view_bytes", "relist_history_versions", "relist_history_bytes",
            "relist_history_unwritten", "relist_stragglers", "relist_retried_writes_total", "relist_waiting_reads{screen=\"notes\"}",
            "relist_actions_in_progress", "relist_held_keys", "relist_refused_actions_total", "relist_receipts", "relist_receipt_bytes",
            "relist_refused_receipts_total", "relist_body_bytes", "relist_refused_bodies_total",
        ]
        let idle = try await site.metrics()
        #expect(names.allSatisfy { idle[$0] == 0 })
        let version = try await site.get("/screens/notes").version
        site.notes.set("inbox", to: ["twice", "2", "3", "4", "5", "twice"])
        _ = try await site.changes("/screens/notes/changes", since: version)
        _ = try await site.get("/screens/news")
        _ = try await site.get("/screens/notes?list=none")
        let keyed: Headers = ["Content-Type": "application/json", "Idempotency-Key": "k", "Prefer": "return=minimal"]
        _ = try await site.post("/screens/notes/actions/add?list=home", #"{"input":{"te/xt":"a"}}"#, keyed)
        let busy = try await site.metrics()
        #expect(names.prefix(5).map { busy[$0] } == [4, 1, 1, 1, 2])
        #expect(busy["relist_history_versions"] == 3)
        #expect(busy["relist_history_unwritten"] == 3)
        #expect(busy["relist_cached_view_bytes", default: 0] > 0)
        #expect(busy["relist_history_bytes", default: 0] > 0)
        #expect(busy["relist_receipts"] == 1 && busy["relist_receipt_bytes", default: 0] > 90)
    }

    @Test(arguments: Transport.allCases)
    func metricsHaveTheMediaTypeOfPrometheus(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/metrics")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.headers["Cache-Control"] == "no-store")
    }
}
