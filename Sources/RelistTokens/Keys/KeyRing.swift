import HTTPClient
import Logging
import Synchronization

/// The keys as they are now: read again when they may have changed, or a token names one that is not known, but no more than
/// once a minute. While there are none, they are read again after a second, then after pauses that double up to a minute.
///
/// While they cannot be had, those that are known go on. Those that were taken out of the set do not.
final class KeyRing: Sendable {
    typealias Read = @Sendable () async throws(KeySetFault) -> [UInt8]

    /// The least time between two readings, once there are keys.
    static let interval = Duration.seconds(60)

    private struct State {
        var keys: KeySet?
        /// What the keys were made of.
        var bytes: [UInt8] = []
        /// Why they could not be read last; nil where they could.
        var fault: KeySetFault?
        /// The number of readings in a row that have brought no keys.
        var failureCount = 0
        var lastReading: ContinuousClock.Instant?
        var reading: Task<Void, Never>?

        /// The least time until the next reading.
        var pause: Duration {
            keys == nil && failureCount > 0 ? min(.seconds(1 << min(failureCount - 1, 6)), KeyRing.interval) : KeyRing.interval
        }
    }

    private let read: Read
    private let acceptsSecrets: Bool
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - read: gives the key set.
    ///   - changed: is called when it is another.
    init(
        acceptsSecrets: Bool, logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        read: @escaping Read, changed: @escaping @Sendable () -> Void
    ) {
        self.acceptsSecrets = acceptsSecrets
        self.logger = logger
        self.now = now
        self.read = read
        self.changed = changed
    }

    /// The keys that are known; nil while there are none.
    var keys: KeySet? { state.withLock { $0.keys } }

    /// Why the keys could not be read when they were last; nil where they could.
    var fault: KeySetFault? { state.withLock { $0.fault } }

    /// Reads them again and again, until the task is cancelled.
    ///
    /// - Parameter sleep: lets so much time pass.
    /// - Throws: what `sleep` throws.
    func run(_ sleep: (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) async throws {
        while true {
            try await sleep(state.withLock { $0.pause })
            await refresh()
        }
    }

    /// Reads them again, if the last reading is long enough ago, and waits for a reading that is under way.
    func refresh() async {
        let reading = state.withLock { state -> Task<Void, Never>? in
            if let reading = state.reading { return reading }
            let time = now()
            if let last = state.lastReading, time - last < state.pause { return nil }
            let reading = Task { [isFirst = state.lastReading == nil] in await self.load(isFirst: isFirst) }
            state.lastReading = time
            state.reading = reading
            return reading
        }
        await reading?.value
    }

    /// - Parameter isFirst: whether whoever starts says how it went.
    private func load(isFirst: Bool) async {
        let outcome = await Result { () async throws(KeySetFault) in
            let bytes = try await read()
            let isSame = state.withLock { $0.keys != nil && $0.bytes == bytes }
            return (bytes, keys: isSame ? nil : try await KeySet(bytes, acceptsSecrets: acceptsSecrets))
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
                // It could be had: the keys of before were taken out of it.
                if case .noUsableKey = fault, state.keys != nil {
                    (state.bytes, state.keys) = ([], nil)
                    return (true, true)
                }
                return (false, fault != earlier)
            }
        }
        if isNew { changed() }
        if isNews && !isFirst { log() }
    }

    /// Says how it stands now.
    func log() {
        let (keys, fault) = state.withLock { ($0.keys, $0.fault) }
        if let fault {
            let consequence = keys == nil ? "nobody can sign in" : "tokens of the keys that are known go on"
            logger.warning("the key set cannot be had: \(fault); \(consequence)")
        } else if let keys {
            logger.info("read the keys of tokens", metadata: ["count": "\(keys.keys.count)", "leftOut": "\(keys.leftOutCount)"])
        }
    }
}

extension Result where Success: Sendable {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
