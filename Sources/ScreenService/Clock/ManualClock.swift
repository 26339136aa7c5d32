import Synchronization

/// A clock that tests set. Its time changes only when a test changes it.
///
///     let clock = ManualClock()
///     let client = try await TestClient(screens: [Orders(store: store)], store: store, clock: clock)
///     let before = try await client.screen("orders")
///     clock.advance(by: .seconds(60))
///     #expect(try await client.change(of: before).updated == ["order-1"])
public final class ManualClock: WallClock {
    private struct State {
        var now: Int64
        var calls: [Int: (instant: Int64, call: @Sendable () -> Void)] = [:]
        var lastID = 0

        mutating func takeDue(all isSetBack: Bool = false) -> [@Sendable () -> Void] {
            let due = calls.filter { isSetBack || $0.value.instant <= now }.sorted {
                ($0.value.instant, $0.key) < ($1.value.instant, $1.key)
            }
            for (id, _) in due { calls[id] = nil }
            return due.map(\.value.call)
        }
    }

    private let state: Mutex<State>

    /// Creates a clock that shows a time, in seconds since 1970.
    public init(at start: Int64 = 1_700_000_000) {
        state = Mutex(State(now: start))
    }

    /// The number of scheduled calls that are not due yet.
    package var scheduledCount: Int { state.withLock { $0.calls.count } }

    public var now: Int64 { state.withLock { $0.now } }

    /// Sets the clock forward, or back if the duration is negative, and makes the calls that are due. Fractions of a second are left out.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration.components.seconds
            return state.takeDue(all: duration < .zero)
        }
        for call in due { call() }
    }

    public func schedule(at instant: Int64, _ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let (id, due) = state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = (instant, call)
            return (state.lastID, state.takeDue())
        }
        for call in due { call() }
        return { [weak self] in
            let cancelled = self?.state.withLock { $0.calls.removeValue(forKey: id) }
            withExtendedLifetime(cancelled) {}
        }
    }
}
