import HTTPServer
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

@Suite("The metrics of requests") struct RequestMetricsTests {
    private struct Ended {
        let response: EndedResponse
        let kind: ResponseKind
        let route: String?
        let snapshotBytes: Int?
    }

    private static func request(
        _ kind: ResponseKind, status: Int? = 200, route: String? = "/screens/{screen}", bytes: Int = 10, snapshotBytes: Int? = nil,
        milliseconds: Int64 = 2
    ) -> Ended {
        let response = EndedResponse(
            status: status, isComplete: status != nil, bodyBytes: bytes, nanoseconds: 1_000_000 * milliseconds, note: nil
        )
        return Ended(response: response, kind: kind, route: route, snapshotBytes: snapshotBytes)
    }

    private static func text(after requests: [Ended]) -> String {
        let registry = MetricsRegistry()
        let metrics = RequestMetrics(registry, backend: registry)
        var used: RequestMetrics.Used?
        for request in requests {
            metrics.record(request.response, request.kind, of: request.route, snapshotBytes: request.snapshotBytes, with: &used)
        }
        return PrometheusText(of: registry).text
    }

    @Test func requestsAreCountedByRouteStatusKindAndReason() {
        let text = Self.text(after: [
            Self.request(.snapshot(nil)), Self.request(.snapshot(.smaller)), Self.request(.snapshot(.smaller)),
            Self.request(.problem("unknown-screen"), status: 404), Self.request(.other, status: nil, route: nil),
        ])
        for line in [
            #"{kind="snapshot",reason="",route="/screens/{screen}",status="200"} 1"#,
            #"{kind="snapshot",reason="smaller",route="/screens/{screen}",status="200"} 2"#,
            #"{kind="problem",reason="unknown-screen",route="/screens/{screen}",status="404"} 1"#,
            #"{kind="other",reason="",route="none",status="none"} 1"#,
        ] { #expect(text.contains("\nrelist_requests_total\(line)\n"), "\(line)\n\(text)") }
    }

    @Test func theBytesOfResponsesStandBesideTheBytesOfSnapshots() {
        let text = Self.text(after: [
            Self.request(.changeset, bytes: 100, snapshotBytes: 5000), Self.request(.changeset, bytes: 50, snapshotBytes: 3000),
            Self.request(.notModified, bytes: 0, snapshotBytes: 700), Self.request(.file, bytes: 9),
        ])
        for line in [
            #"response_bytes_total{kind="changeset"} 150"#, #"snapshot_bytes_total{kind="changeset"} 8000"#,
            #"snapshot_bytes_total{kind="not-modified"} 700"#, #"response_bytes_total{kind="file"} 9"#,
        ] { #expect(text.contains("\nrelist_\(line)\n"), "\(line)\n\(text)") }
    }

    @Test func theTimeForWhichAStreamIsOpenIsNoDurationOfARequest() {
        let route = "/screens/{screen}/changes"
        let text = Self.text(after: [
            Self.request(.stream, route: route, milliseconds: 3_600_000), Self.request(.changeset, route: route),
        ])
        #expect(text.contains("\nrelist_request_duration_seconds_count{route=\"\(route)\"} 1\n"), "\(text)")
    }
}
