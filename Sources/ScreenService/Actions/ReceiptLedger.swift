import Synchronization

/// The limits on the total size of receipts.
public struct ReceiptBounds: Hashable, Sendable {
    /// The approximate maximum size of all receipts in the store, in bytes.
    public var bytes: Int
    /// The maximum size of the receipts of one caller, in bytes.
    public var bytesPerCaller: Int

    public init(bytes: Int = 1 << 30, bytesPerCaller: Int = 16 << 20) {
        self.bytes = bytes
        self.bytesPerCaller = bytesPerCaller
    }
}

/// A counter of the bytes of receipts, in total and per caller. It rejects an action whose receipt would exceed a bound.
///
/// The total is read from the store at the start and every hour, so it includes the receipts of other replicas. The store does not count
/// the receipts of one caller: adding up their sizes would take longer than the action itself, and a stored sum would make concurrent
/// actions of the caller conflict. Therefore the count per caller includes only the receipts that this process has stored.
final class ReceiptLedger: Sendable {
    /// The maximum number of callers whose receipts are counted. If there are more callers, the callers with the fewest bytes are no longer
    /// counted.
    static let callerLimit = 1 << 16

    /// The bytes that are reserved for the receipt of an attempt in progress.
    struct Reservation: Sendable {
        fileprivate let caller: LimitKey
        fileprivate let holding: ReceiptHolding
    }

    fileprivate struct State {
        var callers: [LimitKey: ReceiptHours] = [:]
        /// The receipts in the store at the last count.
        var counted = ReceiptHours()
        /// The receipts that this process has stored since the last completed count began.
        var added = ReceiptHours()
        /// The receipts that this process has stored during the current count, or `nil` if no count is in progress.
        var addedWhileCounting: ReceiptHours?
        var reservedBytes = 0
        var refusedCount = 0
    }

    private let bounds: ReceiptBounds
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    init(bounds: ReceiptBounds, now: @escaping @Sendable () -> Int64) {
        self.bounds = bounds
        self.now = now
    }

    /// The number and approximate bytes of unexpired receipts, and the number of requests that were rejected since the start because a
    /// bound was reached.
    var counts: (receipts: Int, bytes: Int, refused: Int) {
        let now = now()
        return state.withLock { state in
            state.expire(at: now)
            return (state.counted.count + state.added.count, state.counted.bytes + state.added.bytes, state.refusedCount)
        }
    }

    var callerCount: Int { state.withLock { $0.callers.count } }

    /// Reserves the bytes of a receipt before its action begins, or throws ``ActionFault/receiptsFull(ofCaller:retryAfter:)``.
    func reserve(_ bytes: Int, for caller: LimitKey) throws(ActionFault) -> Reservation {
        let now = now()
        let holding = ReceiptHolding(hour: now / 3600, count: 1, bytes: bytes)
        let fault = state.withLock { state -> ActionFault? in
            state.expire(at: now)
            var hours = state.callers[caller] ?? ReceiptHours()
            hours.expire(at: now)
            let isOfCaller = hours.bytes + bytes > bounds.bytesPerCaller
            if isOfCaller || state.storedBytes + state.reservedBytes + bytes > bounds.bytes {
                state.refusedCount += 1
                let expiry = (isOfCaller ? hours.firstExpiry : nil) ?? now + 3600
                return .receiptsFull(ofCaller: isOfCaller, retryAfter: Int(max(1, expiry - now)))
            }
            hours.add(holding)
            state.callers[caller] = hours
            state.reservedBytes += bytes
            if state.callers.count > Self.callerLimit { state.evictCallers(at: now) }
            return nil
        }
        if let fault { throw fault }
        return Reservation(caller: caller, holding: holding)
    }

    /// Ends a reservation. `isStored` is `true` if the receipt was stored or may have been stored.
    func end(_ reservation: Reservation, isStored: Bool) {
        let holding = reservation.holding
        state.withLock { state in
            state.reservedBytes -= holding.bytes
            if isStored {
                state.added.add(holding)
                state.addedWhileCounting?.add(holding)
            } else if var hours = state.callers[reservation.caller] {
                hours.remove(holding)
                state.callers[reservation.caller] = hours.count == 0 ? nil : hours
            }
        }
    }

    /// Counts the receipts in the store. A receipt that is stored during the count may be counted twice until the next count.
    func recount(_ count: (_ now: Int64) async throws -> [ReceiptHolding]?) async throws {
        state.withLock { $0.addedWhileCounting = ReceiptHours() }
        defer { state.withLock { $0.addedWhileCounting = nil } }
        guard let holdings = try await count(now()) else { return }
        state.withLock { state in
            state.counted = ReceiptHours(holdings)
            state.added = state.addedWhileCounting ?? ReceiptHours()
        }
    }
}

extension ReceiptLedger.State {
    var storedBytes: Int { counted.bytes + added.bytes }

    mutating func expire(at now: Int64) {
        counted.expire(at: now)
        added.expire(at: now)
    }

    /// Removes the callers whose receipts have expired. If more than half of `callerLimit` remain, also removes half of the remaining
    /// callers, beginning with those that have the fewest bytes.
    mutating func evictCallers(at now: Int64) {
        for (caller, hours) in callers {
            var hours = hours
            hours.expire(at: now)
            callers[caller] = hours.count == 0 ? nil : hours
        }
        guard callers.count > ReceiptLedger.callerLimit / 2 else { return }
        for (caller, _) in callers.sorted(by: { $0.value.bytes < $1.value.bytes }).prefix(callers.count / 2) { callers[caller] = nil }
    }
}
