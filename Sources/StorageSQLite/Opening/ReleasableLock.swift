import Synchronization

/// Holds a file's lock until it is released, or until it is let go itself.
final class ReleasableLock: Sendable {
    private let lock: Mutex<FileLock?>

    init(_ lock: consuming sending FileLock) {
        self.lock = Mutex(lock)
    }

    func release() {
        lock.withLock { $0 = nil }
    }
}
