import Synchronization

/// A clock that advances only when a test advances it.
public final class ManualTime: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    public init() {}

    public var now: ContinuousClock.Instant { instant.withLock { $0 } }

    public func advance(by duration: Duration) {
        instant.withLock { $0 += duration }
    }
}
