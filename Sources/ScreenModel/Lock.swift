#if canImport(os)
import os
#else
import Synchronization
#endif

/// A lock that is also available on iOS 17 and macOS 14, which have no `Mutex`.
package struct Lock: ~Copyable, Sendable {
    #if canImport(os)
    private let lock = OSAllocatedUnfairLock()
    #else
    private let lock = Mutex(())
    #endif

    package init() {}

    package func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
        #if canImport(os)
        lock.withLockUnchecked(body)
        #else
        lock.withLock { _ in body() }
        #endif
    }
}
