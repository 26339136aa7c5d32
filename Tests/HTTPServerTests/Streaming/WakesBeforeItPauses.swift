import HTTPServer
import Synchronization

/// Becomes able to give something in the moment in which it says that it has nothing.
final class WakesBeforeItPauses: BodyStream {
    private let waker = Mutex<StreamWaker?>(nil)
    private let questions = Atomic<Int>(0)

    func begin(_ waker: StreamWaker) {
        self.waker.withLock { $0 = waker }
    }

    func next() -> StreamPart {
        switch questions.add(1, ordering: .relaxed).newValue {
        case 1:
            waker.withLock { $0 }?.wake()
            return .pause
        case 2: return .text("woken")
        default: return .end
        }
    }

    func ended() {}
}
