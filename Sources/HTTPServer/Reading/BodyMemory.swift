import Synchronization

/// The memory that is reserved for the bodies of all requests. The first bytes of each body need no reservation (see `admittedBodyBytes` in
/// ``HTTPServer/Configuration``).
///
/// The memory is limited in total and for each caller, so that one caller cannot use up the memory of other callers.
final class BodyMemory: Sendable {
    private struct State {
        var reserved = 0
        var reservedByCallers: [AnyHashable: Int] = [:]
    }

    private let limit: Int
    private let callerLimit: Int
    private let state = Mutex(State())

    init(_ configuration: HTTPServer.Configuration) {
        limit = configuration.maximumBodyBytesInAll
        let share = limit / 100 * configuration.callerShare + limit % 100 * configuration.callerShare / 100
        callerLimit = max(share, configuration.maximumBodyBytes)
    }

    /// Reserves bytes. If too few bytes are left, returns the reason to reject the body instead.
    func reserve(_ count: Int, for caller: (any Hashable & Sendable)?) -> Refusal? {
        state.withLock { state in
            if let caller {
                let reserved = state.reservedByCallers[AnyHashable(caller)] ?? 0
                if count > callerLimit - reserved { return .tooManyBodyBytesOfCaller }
            }
            if count > limit - state.reserved { return .tooManyBodyBytes }
            state.reserved += count
            if let caller { state.reservedByCallers[AnyHashable(caller), default: 0] += count }
            return nil
        }
    }

    func release(_ count: Int, of caller: (any Hashable & Sendable)?) {
        state.withLock { state in
            state.reserved -= count
            guard let caller else { return }
            let rest = (state.reservedByCallers[AnyHashable(caller)] ?? 0) - count
            state.reservedByCallers[AnyHashable(caller)] = rest > 0 ? rest : nil
        }
    }
}
