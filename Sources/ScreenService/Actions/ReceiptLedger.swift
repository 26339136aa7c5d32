import Synchronization

/// The maximum size of all receipts.
public struct ReceiptBounds: Hashable, Sendable {
    /// Bytes of the receipts of the last 24 hours in the store, about.
    public var bytes: Int
    /// Bytes of those of one caller.
    public var bytesPerCaller: Int

    public init(bytes: Int = 1 << 30, bytesPerCaller: Int = 16 << 20) {
        self.bytes = bytes
        self.bytesPerCaller = bytesPerCaller
    }
}

/// Counts the bytes of receipts, in all and per caller, so that no action is begun whose receipt would exceed a bound.
///
/// Receipts have no owner in the store, and get none for this. A sum over the receipts of a caller would cost each action more than the
/// action itself, and a row with the sum of each caller would have the actions of one caller conflict. So the sums per caller are
/// those of this process since its start. The sum in all is read from the store at the start and each hour, which includes the
/// receipts of other replicas.
final class ReceiptLedger: Sendable {
    /// The maximum number of callers that are counted. Beyond it those with the least bytes, which are far from the bound, begin anew.
    static let callerLimit = 1 << 16

    /// Bytes that an attempt in progress has taken for its receipt.
    struct Reservation: Sendable {
        fileprivate let caller: LimitKey
        fileprivate let holding: ReceiptHolding
    }

    fileprivate struct State {
        /// With those that are reserved.
        var callers: [LimitKey: ReceiptHours] = [:]
        /// The receipts that the store has counted last.
        var counted = ReceiptHours()
        /// The receipts that were stored since the store began to count.
        var added = ReceiptHours()
        /// The receipts that were stored since it began to count again; nil while it does not count.
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

    /// The receipts of the last 24 hours, the bytes that they take in the store, about, and the requests that were refused since the start.
    var counts: (receipts: Int, bytes: Int, refused: Int) {
        let now = now()
        return state.withLock { state in
            state.expire(at: now)
            return (state.counted.count + state.added.count, state.counted.bytes + state.added.bytes, state.refusedCount)
        }
    }

    /// The callers that are counted.
    var callerCount: Int { state.withLock { $0.callers.count } }

    /// Takes the bytes for a receipt before its action is begun.
    ///
    /// - Throws: ``ActionFault/receiptsFull(ofCaller:retryAfter:)``
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

    /// Ends a reservation, when its attempt has ended.
    ///
    /// - Parameter isStored: whether the receipt is stored, or may be.
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

    /// Counts the receipts in the store. A receipt that is stored meanwhile may be counted twice, until the next time.
    ///
    /// - Parameter count: what the store has; nil where it does not count.
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

    /// Removes the callers whose receipts have expired, and half of the others if they are still many.
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
