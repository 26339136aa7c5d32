import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

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
        #expect(busy[#"relist_computations_total{screen="notes"}"#] == 3 && busy[#"relist_failures_total{cause="request"}"#] == 1)
        #expect(busy[#"relist_actions_total{screen="notes"}"#] == 1 && busy[#"relist_action_duration_seconds_count{screen="notes"}"#] == 1)
        #expect(busy["relist_history_versions"] == 3)
        #expect(busy["relist_history_unwritten"] == 3)
        #expect(try #require(busy["relist_cached_view_bytes"]) > 0)
        #expect(try #require(busy["relist_history_bytes"]) > 0)
        #expect(try busy["relist_receipts"] == 1 && #require(busy["relist_receipt_bytes"]) > 90)
    }

    @Test func aServerWithoutPublicMetricsHasThemOnlyOnThePortForOperators() async throws {
        let site = try await Transport.memory.serve()
        let api = ScreenAPI(service: site.api.service, publicFolder: nil, hasMetrics: false, logger: .quiet)
        let description = try await api.reply(to: Request(method: "GET", target: "/openapi.json")).answer
        let text = try RawResponse(description, to: "GET").text
        #expect(text.contains("\"/readyz\"") && !text.contains("\"/metrics\""))
        let operators = api.administration(middleware: [])
        for (target, statuses) in [
            ("/metrics", [404, 200]), ("/healthz", [200, 200]), ("/readyz", [200, 200]), ("/screens", [200, 404]),
        ] {
            for (part, status) in zip([api, operators], statuses) {
                let answer = try await part.reply(to: Request(method: "GET", target: target)).answer
                #expect(answer.status == status, "\(target)")
            }
        }
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
