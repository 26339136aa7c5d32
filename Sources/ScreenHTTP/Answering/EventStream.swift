import HTTPServer
import ScreenService
import Synchronization

/// What is new in a view, as events of a stream (HTML, section 9.2), for as long as one client listens.
///
/// What it knows of the client is the version that it sent last. It is asked for more when the
/// socket has taken everything, and gives the way from there to the newest version, so that a
/// client that reads slowly gets fewer and larger steps.
final class EventStream: BodyStream {
    /// Comments keep a silent connection alive and find clients that are gone.
    static let heartbeat = StreamingResponse.Heartbeat(bytes: Array(":\n\n".utf8), interval: .seconds(15))

    private struct State {
        var version: String?
        var hasBegun = false
        var hasEnded = false
        var isMaking = false
        /// What was made elsewhere, to be sent next.
        var made: Document?
    }

    private let subscription: Subscription
    private let waker: StreamWaker
    private let retry: Int
    private let state: Mutex<State>

    /// - Parameter retry: the time that the client shall wait before it comes back after its connection broke, in milliseconds.
    init(_ subscription: Subscription, since version: String?, retry: Int, waker: StreamWaker) {
        self.subscription = subscription
        self.retry = retry
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
            if let made = state.made {
                state.made = nil
                return send(made, &state)
            }
            switch subscription.news(since: state.version) {
            case .nothing: return .pause
            // What is being made leads from what was sent last.
            case .document where state.isMaking: return .pause
            case .document(.now(let document)): return send(document, &state)
            case .document(.later(let make)):
                start(make, &state)
                return .pause
            case .end:
                state.hasEnded = true
                return .part(retryField)
            }
        }
    }

    func ended() {
        subscription.cancel()
    }

    private func send(_ document: Document, _ state: inout State) -> StreamPart {
        state.version = document.version
        return .part(DocumentResponses.event(of: document))
    }

    /// Has the news made elsewhere: this thread serves others.
    private func start(_ make: @escaping @Sendable () async throws -> Document, _ state: inout State) {
        state.isMaking = true
        Task {
            // What cannot be made now is asked for again with what comes next.
            let made = try? await make()
            self.state.withLock { ($0.made, $0.isMaking) = (made, false) }
            if made != nil { waker.wake() }
        }
    }

    private var retryField: [UInt8] { Array("retry: \(retry)\n\n".utf8) }
}
