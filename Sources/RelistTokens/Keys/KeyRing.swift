import HTTPClient
import Logging
import Synchronization

/// The current keys that verify tokens.
///
/// The key set is read every minute. It is also read when a token names an unknown key, but at most once a minute. While there are no
/// keys, it is read after one second, and then after delays that double up to a minute.
///
/// While the key set cannot be read, the last known keys stay valid. A key that was removed from the set becomes invalid at the next
/// successful reading.
final class KeyRing: Sendable {
    typealias Read = @Sendable () async throws(KeySetFault) -> [UInt8]

    /// The minimum time between two readings of the key set while there are keys.
    static let interval = Duration.seconds(60)

    private struct State {
        var keys: KeySet?
        var bytes: [UInt8] = []
        var fault: KeySetFault?
        /// The number of consecutive readings that returned no keys.
        var failureCount = 0
        var lastReading: ContinuousClock.Instant?
        var reading: Task<Void, Never>?

        var delay: Duration {
            keys == nil && failureCount > 0 ? min(.seconds(1 << min(failureCount - 1, 6)), KeyRing.interval) : KeyRing.interval
        }
    }

    private let read: Read
    private let acceptsSecrets: Bool
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a key ring without keys. `acceptsSecrets` indicates whether the key set may contain symmetric keys.
    init(
        acceptsSecrets: Bool, logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        read: @escaping Read, onChange: @escaping @Sendable () -> Void
    ) {
        self.acceptsSecrets = acceptsSecrets
        self.logger = logger
        self.now = now
        self.read = read
        self.onChange = onChange
    }

    var keys: KeySet? { state.withLock { $0.keys } }

    /// The error of the last reading, or nil if the last reading succeeded.
    var fault: KeySetFault? { state.withLock { $0.fault } }

    /// Reads the key set periodically until the task is cancelled, and then throws the error of `sleep`.
    func run(_ sleep: (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) async throws {
        while true {
            try await sleep(state.withLock { $0.delay })
            await refresh()
        }
    }

    /// Reads the key set, unless the previous reading was too recent. If a reading is in progress, waits for that reading.
    func refresh() async {
        let reading = state.withLock { state -> Task<Void, Never>? in
            if let reading = state.reading { return reading }
            let time = now()
            if let last = state.lastReading, time - last < state.delay { return nil }
            let reading = Task { [isFirst = state.lastReading == nil] in await self.load(isFirst: isFirst) }
            state.lastReading = time
            state.reading = reading
            return reading
        }
        await reading?.value
    }

    /// Reads the key set and replaces the keys if they have changed. Logs the result, unless this is the first reading.
    private func load(isFirst: Bool) async {
        let outcome: Result<(bytes: [UInt8], keys: KeySet?), KeySetFault>
        do {
            let bytes = try await read()
            let isSame = state.withLock { $0.keys != nil && $0.bytes == bytes }
            outcome = .success((bytes, isSame ? nil : try await KeySet(bytes, acceptsSecrets: acceptsSecrets)))
        } catch {
            outcome = .failure(error)
        }
        let (isNew, isNews) = state.withLock { state in
            state.reading = nil
            defer { state.failureCount = state.keys == nil ? state.failureCount + 1 : 0 }
            let earlier = state.fault
            switch outcome {
            case .success((let bytes, let keys)):
                state.fault = nil
                if let keys { (state.bytes, state.keys) = (bytes, keys) }
                return (keys != nil, keys != nil || earlier != nil)
            case .failure(let fault):
                state.fault = fault
                // If the set was read and has no usable key, the previous keys have been removed from the set.
                if case .noUsableKey = fault, state.keys != nil {
                    (state.bytes, state.keys) = ([], nil)
                    return (true, true)
                }
                return (false, fault != earlier)
            }
        }
        if isNew { onChange() }
        if isNews && !isFirst { log() }
    }

    /// Logs the number of the keys, or a warning if the last reading of the key set failed.
    func log() {
        let (keys, fault) = state.withLock { ($0.keys, $0.fault) }
        if let fault {
            let consequence = keys == nil ? "no token can be verified" : "tokens are verified with the last known keys"
            logger.warning("the key set cannot be read: \(fault); \(consequence)")
        } else if let keys {
            logger.info("read the key set", metadata: ["count": "\(keys.keys.count)", "leftOut": "\(keys.leftOutCount)"])
        }
    }
}
