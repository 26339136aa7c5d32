import CoreMetrics
import ScreenService

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
