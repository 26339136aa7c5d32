import HTTPServer
import Synchronization

/// A body that gives what a test puts into it, and tells what was done with it.
final class Script: BodyStream {
    private struct State {
        var parts: [StreamPart]
        var waker: StreamWaker?
        var questions = 0
        var endings = 0
    }

    private let state: Mutex<State>
    /// Opens when it has had nothing to give.
    let paused = Gate()
    /// Opens when it is over.
    let over = Gate()

    init(_ parts: StreamPart...) {
        state = Mutex(State(parts: parts))
    }

    /// How often it was asked.
    var questions: Int { state.withLock { $0.questions } }
    /// How often it was told that it is over.
    var endings: Int { state.withLock { $0.endings } }

    /// An answer with this body.
    func response(heartbeat: Duration? = nil) -> StreamingResponse {
        StreamingResponse(
            headers: ["Content-Type": "text/event-stream"],
            heartbeat: heartbeat.map { .init(bytes: Array(":\n\n".utf8), interval: $0) }
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

    func ended() {
        state.withLock { $0.endings += 1 }
        over.open()
    }
}

/// Answers every request with the script of its target, `/` with a fixed text.
func play(_ scripts: [String: Script], heartbeat: Duration? = nil) -> HTTPServer.Handler {
    { request in
        scripts[request.target].map { .stream($0.response(heartbeat: heartbeat)) } ?? echo(request)
    }
}

extension StreamPart {
    static func text(_ text: String) -> StreamPart { .part(Array(text.utf8)) }
}
