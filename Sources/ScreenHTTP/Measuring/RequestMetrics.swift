import CoreMetrics
import Synchronization

/// The metrics of requests: their number and duration, the bytes of the responses, and the bytes that whole snapshots would have had.
///
/// The labels have few values, because no text of a client is among them (see ``ObservedRequest``).
final class RequestMetrics: Sendable {
    private struct Labels: Hashable {
        let route: String
        /// The status code, or 0 if the connection ended before there was a response.
        let status: Int
        let kind: ResponseKind
    }

    private struct Instruments {
        let count: any CounterHandler
        /// The durations; nil for streams, whose duration says nothing about the server.
        let duration: (any TimerHandler)?
        let bytes: any CounterHandler
        let snapshotBytes: any CounterHandler
    }

    private let registry: MetricsRegistry
    /// The instruments that have been used. The registry is slower to find them.
    private let instruments = Mutex<[Labels: Instruments]>([:])

    init(_ registry: MetricsRegistry) {
        self.registry = registry
        registry.describe("relist_requests_total", .counter, "Requests whose responses have ended.")
        registry.describe(
            "relist_request_duration_seconds", .histogram,
            "Times from the arrival of a request to the end of its response, without streams.")
        registry.describe("relist_response_bytes_total", .counter, "Bytes of the bodies of responses, after compression.")
        registry.describe(
            "relist_snapshot_bytes_total", .counter, "Bytes that whole snapshots would have had in their place, without compression.")
    }

    /// Records a request whose response has ended.
    func record(_ request: ObservedRequest) {
        let labels = Labels(route: request.route ?? "none", status: request.status ?? 0, kind: request.kind)
        let instruments = instruments.withLock { instruments in
            if let known = instruments[labels] { return known }
            let new = makeInstruments(labels)
            instruments[labels] = new
            return new
        }
        instruments.count.increment(by: 1)
        instruments.duration?.recordNanoseconds(request.duration.nanoseconds)
        instruments.bytes.increment(by: Int64(request.bodyBytes))
        if let bytes = request.snapshotBytes { instruments.snapshotBytes.increment(by: Int64(bytes)) }
    }

    private func makeInstruments(_ labels: Labels) -> Instruments {
        let kind = [("kind", labels.kind.name), ("reason", labels.kind.reason ?? "")]
        let route = [("route", labels.route)]
        let all = route + [("status", labels.status == 0 ? "none" : "\(labels.status)")] + kind
        let name = "relist_request_duration_seconds"
        return Instruments(
            count: registry.makeCounter(label: "relist_requests_total", dimensions: all),
            duration: labels.kind == .stream ? nil : registry.makeTimer(label: name, dimensions: route),
            bytes: registry.makeCounter(label: "relist_response_bytes_total", dimensions: [kind[0]]),
            snapshotBytes: registry.makeCounter(label: "relist_snapshot_bytes_total", dimensions: [kind[0]])
        )
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return Int64(clamping: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
    }
}
