import Synchronization

/// Notes what was said, in order.
final class Noted<Value: Sendable>: Sendable {
    private let noted = Mutex<[Value]>([])

    var all: [Value] { noted.withLock { $0 } }

    func add(_ value: Value) {
        noted.withLock { $0.append(value) }
    }
}
