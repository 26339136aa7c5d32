import Synchronization

/// A list of values that several tasks append to.
final class RecordedValues<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
    }
}
