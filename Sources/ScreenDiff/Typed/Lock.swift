#if canImport(os)
import os
#else
import Synchronization
#endif

/// A lock that the oldest systems have which the library is for: on iOS 17 and macOS 14 there is no `Mutex`.
struct Lock: ~Copyable, Sendable {
    #if canImport(os)
    private let lock = OSAllocatedUnfairLock()

    func withLock(_ body: () -> Void) {
        lock.withLockUnchecked(body)
    }
    #else
    private let lock = Mutex(())

    func withLock(_ body: () -> Void) {
        lock.withLock { _ in body() }
    }
    #endif
}
