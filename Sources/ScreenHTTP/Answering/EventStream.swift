import HTTPServer
import ScreenService
import Synchronization

/// The changes of a view as server-sent events (HTML, section 9.2), for one client.
///
/// The stream stores only the version that it sent last, and the freshness that it reported for this version. When the socket has
/// accepted all earlier bytes, the server asks for the next part, which has the changes from this version to the newest one. So a client
/// that reads slowly receives fewer and larger parts.
final class EventStream: BodyStream {
    /// A comment that keeps a silent connection open and reveals whether the client has disconnected.
    private static let comment = PreparedBody(Array(":\n\n".utf8))
    static let heartbeatInterval = Duration.seconds(15)

    private struct State {
        var version: String?
        var hasBegun = false
        var hasEnded = false
        var freshness = Freshness.unknown
        var isComputing = false
        var computed: Document?
    }

    private let subscription: Subscription
    private let waker: StreamWaker
    private let retry: Int
    private let metrics: EventMetrics
    private let state: Mutex<State>

    /// Creates a stream of the changes of a view since the version that the client holds. If the connection breaks, the client reconnects
    /// after `retry` milliseconds.
    init(_ subscription: Subscription, since version: String?, retry: Int, waker: StreamWaker, metrics: EventMetrics) {
        self.subscription = subscription
        self.retry = retry
        self.metrics = metrics
        self.waker = waker
        state = Mutex(State(version: version))
        subscription.setWake(waker.wake)
    }

    func next() -> StreamPart {
        state.withLock { state in
            if !state.hasBegun {
                state.hasBegun = true
                return .part(retryField)
            }
            if state.hasEnded { return .end }
            if let computed = state.computed {
                state.computed = nil
                return send(computed, &state)
            }
            switch subscription.news(since: state.version, reported: state.freshness) {
            case .nothing: return .pause
            case .current:
                state.freshness = .current
                return .part(Self.currentEvent(of: state.version ?? ""))
            case .stale:
                state.freshness = .stale
                return .part(Self.staleEvent)
            // A task already computes the changes since the version that was sent last.
            case .document where state.isComputing: return .pause
            case .document(.now(let document)): return send(document, &state)
            case .document(.later(let work)):
                start(work, &state)
                return .pause
            case .end:
                state.hasEnded = true
                return .part(retryField)
            }
        }
    }

    func heartbeat() -> PreparedBody? { Self.comment }

    func ended() {
        subscription.cancel()
    }

    private func send(_ document: Document, _ state: inout State) -> StreamPart {
        (state.version, state.freshness) = (document.version, .current)
        metrics.record(document)
        return .part(DocumentResponses.event(of: document))
    }

    private func start(_ work: @escaping @Sendable () async throws -> Document, _ state: inout State) {
        state.isComputing = true
        Task {
            // If the work fails, it is not repeated. The next change of the view starts new work.
            let document = try? await work()
            self.state.withLock { ($0.computed, $0.isComputing) = (document, false) }
            if document != nil { waker.wake() }
        }
    }

    private static func currentEvent(of version: String) -> PreparedBody {
        PreparedBody(Array("event: current\nid: \(version)\ndata: {\"version\":\"\(version)\"}\n\n".utf8))
    }

    /// The event has no `id`, so that a client that reconnects resumes from the version that it holds. The `data` is an empty object,
    /// because clients ignore events without `data`.
    private static let staleEvent = PreparedBody(Array("event: stale\ndata: {}\n\n".utf8))

    private var retryField: PreparedBody { PreparedBody(Array("retry: \(retry)\n\n".utf8)) }
}
