import CoreMetrics
import HTTPServer
import ScreenService
import Synchronization

/// The metrics of requests: their number and duration, the bytes of the responses, and the bytes that whole snapshots would have had.
///
/// The labels have few values, because no text of a client is among them (see ``ObservedRequest``).
final class RequestMetrics: Sendable {
    fileprivate struct Labels: Hashable {
        let route: String
        /// The status code, or 0 if the connection ended before there was a response.
        let status: Int
        let kind: ResponseKind
    }

    /// The instruments that the last request of a connection has used. Most connections repeat their requests, and finding the instruments
    /// takes time.
    struct Used {
        fileprivate let labels: Labels
        /// The instruments, which the metrics keep. They are not retained, because all threads would change the same reference count.
        fileprivate let instruments: Unmanaged<Instruments>
    }

    fileprivate final class Instruments: Sendable {
        let count: any CounterHandler
        /// The durations; nil for streams, whose duration says nothing about the server.
        let duration: (any TimerHandler)?
        let bytes: any CounterHandler
        let snapshotBytes: any CounterHandler

        init(_ labels: Labels, of backend: any MetricsFactory) {
            let kind = [("kind", labels.kind.name), ("reason", labels.kind.reason ?? "")]
            let route = [("route", labels.route)]
            let all = route + [("status", labels.status == 0 ? "none" : "\(labels.status)")] + kind
            let name = "relist_request_duration_seconds"
            count = backend.makeCounter(label: "relist_requests_total", dimensions: all)
            duration = labels.kind == .stream ? nil : backend.makeTimer(label: name, dimensions: route)
            bytes = backend.makeCounter(label: "relist_response_bytes_total", dimensions: [kind[0]])
            snapshotBytes = backend.makeCounter(label: "relist_snapshot_bytes_total", dimensions: [kind[0]])
        }
    }

    private let backend: any MetricsFactory
    /// The instruments that have been used. The backend is slower to find them.
    private let instruments = Mutex<[Labels: Instruments]>([:])

    /// Creates the metrics in a backend. `registry` receives their descriptions.
    init(_ registry: MetricsRegistry, backend: any MetricsFactory) {
        self.backend = backend
        registry.describe("relist_requests_total", .counter, "Requests whose responses have ended.")
        registry.describe(
            "relist_request_duration_seconds", .histogram,
            "Times from the arrival of a request to the end of its response, without streams.")
        registry.describe("relist_response_bytes_total", .counter, "Bytes of the bodies of responses, after compression.")
        registry.describe(
            "relist_snapshot_bytes_total", .counter, "Bytes that whole snapshots would have had in their place, without compression.")
    }

    /// Records a request whose response has ended.
    func record(_ response: EndedResponse, _ kind: ResponseKind, of route: String?, snapshotBytes: Int?, with used: inout Used?) {
        let labels = Labels(route: route ?? "none", status: response.status ?? 0, kind: kind)
        let last = used.flatMap { $0.labels == labels ? $0 : nil } ?? find(labels)
        used = last
        last.instruments._withUnsafeGuaranteedRef { instruments in
            instruments.count.increment(by: 1)
            instruments.duration?.recordNanoseconds(response.nanoseconds)
            instruments.bytes.increment(by: Int64(response.bodyBytes))
            if let snapshotBytes { instruments.snapshotBytes.increment(by: Int64(snapshotBytes)) }
        }
    }

    private func find(_ labels: Labels) -> Used {
        instruments.withLock { instruments in
            let found = instruments[labels] ?? Instruments(labels, of: backend)
            instruments[labels] = found
            return Used(labels: labels, instruments: .passUnretained(found))
        }
    }
}

/// The metrics of the documents that streams send: their bytes, and the bytes that whole snapshots would have had.
final class EventMetrics: Sendable {
    private let bytes: any CounterHandler
    private let snapshotBytes: any CounterHandler

    /// Creates the metrics in a backend. `registry` receives their descriptions.
    init(_ registry: MetricsRegistry, backend: any MetricsFactory) {
        let (bytes, snapshotBytes) = ("relist_event_bytes_total", "relist_event_snapshot_bytes_total")
        self.bytes = backend.makeCounter(label: bytes, dimensions: [])
        self.snapshotBytes = backend.makeCounter(label: snapshotBytes, dimensions: [])
        registry.describe(bytes, .counter, "Bytes of the documents in events of streams, without compression.")
        registry.describe(
            snapshotBytes, .counter, "Bytes that whole snapshots would have had in place of these documents, without compression.")
    }

    func record(_ document: Document) {
        bytes.increment(by: Int64(document.bytes.count))
        snapshotBytes.increment(by: Int64(document.snapshotByteCount ?? document.bytes.count))
    }
}
