import HTTPServer
import Synchronization

/// A stream whose parts are provided by a test. It counts the calls of its methods.
final class Script: BodyStream {
    private struct State {
        var parts: [StreamPart]
        var waker: StreamWaker?
        var questions = 0
        var endings = 0
    }

    private let state: Mutex<State>
    /// A gate that opens when the stream has paused.
    let paused = Gate()
    /// A gate that opens when the stream has ended.
    let over = Gate()

    init(_ parts: StreamPart...) {
        state = Mutex(State(parts: parts))
    }

    /// The number of calls of `next()`.
    var questions: Int { state.withLock { $0.questions } }
    /// The number of calls of `ended()`.
    var endings: Int { state.withLock { $0.endings } }

    /// Returns a response with this stream as its body.
    func response(heartbeat: Duration? = nil) -> StreamingResponse {
        StreamingResponse(
            headers: ["Content-Type": "text/event-stream"],
            heartbeatInterval: heartbeat
        ) { waker in
            self.state.withLock { $0.waker = waker }
            return self
        }
    }

    func give(_ parts: StreamPart...) {
        state.withLock { $0.parts += parts }
        wake()
    }

    func wake() {
        state.withLock { $0.waker }?.wake()
    }

    func next() -> StreamPart {
        let part = state.withLock { state in
            state.questions += 1
            return state.parts.isEmpty ? StreamPart.pause : state.parts.removeFirst()
        }
        if part == .pause { paused.open() }
        return part
    }

    func heartbeat() -> PreparedBody? { PreparedBody(Array(":\n\n".utf8)) }

    func ended() {
        state.withLock { $0.endings += 1 }
        over.open()
    }
}

/// Returns a handler that responds to a request with the stream for the target of the request. If there is no stream for the target, the
/// handler echoes the request.
func play(_ scripts: [String: Script], heartbeat: Duration? = nil) -> HTTPServer.Handler {
    { request in
        scripts[request.target].map { .stream($0.response(heartbeat: heartbeat)) } ?? echo(request)
    }
}

extension StreamPart {
    static func bytes(_ bytes: [UInt8]) -> StreamPart { .part(PreparedBody(bytes)) }
    static func text(_ text: String) -> StreamPart { .bytes(Array(text.utf8)) }
}
