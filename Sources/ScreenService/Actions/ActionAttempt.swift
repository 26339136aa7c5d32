import Synchronization

/// An execution of an action's handler.
///
/// A client waits for an action until a deadline. If the handler is still running at the deadline, the response must state whether the
/// action was performed. An attempt makes sure that this statement remains true:
/// 1. The service binds the attempt to the task that runs the handler. A store that writes in this task must call
///    ``transaction(announcingTo:storingReceipt:_:)``.
/// 2. The store commits the receipt in the same transaction as the changes of the action.
/// 3. When the deadline passes, the service gives up the attempt. From then on, the attempt begins no transaction and no commit, unless it
///    has already committed a transaction. In that case, the attempt may complete the action.
///
/// With replicas, an attempt on another replica may use the same key at the same time. The receipt of that attempt is invisible until its
/// transaction is committed. After this attempt has stored its own receipt, it is certain that no other attempt has performed the action.
/// If the deadline passes before this attempt has stored its receipt, the outcome of the action is unknown.
public final class ActionAttempt: Sendable {
    /// The attempt that the current task is part of, or `nil` if there is none.
    @TaskLocal public static var current: ActionAttempt?

    fileprivate enum Phase {
        case waiting
        case performing
        case committing
        case committed
    }

    fileprivate struct State {
        var phase = Phase.waiting
        var transactionCount = 0
        var isAbandoned = false
        /// A Boolean value that indicates whether the attempt was given up and certainly commits nothing.
        var isUndone = false
        var isCommitLost = false
        /// A Boolean value that indicates whether an attempt on another replica may be storing a receipt with the same key. The value is
        /// `true` after this attempt has begun a transaction that must store the receipt, until the receipt is stored.
        var isClaiming = false
        var isReceiptStored = false
        var position: Position?
        var isKnownToBeFirst = false

        /// A Boolean value that indicates whether the attempt must not write any more.
        var isGivenUp: Bool { isAbandoned && phase != .committed }

        var isInDoubt: Bool { isCommitLost || isClaiming }
    }

    /// The receipt to store, or `nil` if the client sent no idempotency key.
    public let receipt: ActionReceipt?
    /// The store from which the service reads receipts. Only this store may store the receipt.
    public let destination: any ReceiptStoring
    private let topics: Topics
    fileprivate let state = Mutex(State())

    init(_ receipt: ActionReceipt?, for destination: any ReceiptStoring, announcingTo topics: Topics) {
        self.receipt = receipt
        self.destination = destination
        self.topics = topics
    }
}

// MARK: - For the service

extension ActionAttempt {
    /// Records that the handler begins, or throws an error if the attempt was given up.
    func begin() throws(DeadlineFault) {
        try proceed { $0.phase = .performing }
    }

    var hasBegun: Bool { state.withLock { $0.phase != .waiting } }

    var isCommitted: Bool { state.withLock { $0.phase == .committed } }

    /// A Boolean value that indicates whether the outcome of a commit is unknown, or whether an attempt on another replica may be storing a
    /// receipt with the same key. A later commit of this attempt can reset the value to `false`.
    var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

    /// A Boolean value that indicates whether this attempt is known to be the first with its key, so that no other attempt can have
    /// committed.
    var isKnownToBeFirst: Bool { receipt == nil || state.withLock { $0.isKnownToBeFirst } }

    func noteIsFirst() {
        state.withLock { $0.isKnownToBeFirst = true }
    }

    /// The latest position of the attempt's commits, or `nil` if there is none.
    var position: Position? { state.withLock { $0.position } }

    /// Records a position that includes the commits of an earlier attempt with the same key.
    func note(_ position: Position?) {
        state.withLock { $0.position = [$0.position, position].compactMap(\.self).max() }
    }

    var isUndone: Bool { state.withLock { $0.isUndone } }

    /// Gives up the attempt, because its deadline has passed.
    ///
    /// - Returns: `true` if this attempt has certainly not performed the action and will not perform it. The value is `true` before the
    ///   handler begins, and during a transaction. It is `false` as soon as a commit begins, and while ``isInDoubt`` is `true`.
    ///   While the handler runs outside of a transaction, it is `false`, because the handler may have effects that the service cannot see.
    func abandon() -> Bool {
        state.withLock { state in
            state.isAbandoned = true
            switch state.phase {
            case .waiting: state.isUndone = true
            case .performing: state.isUndone = state.transactionCount > 0 && !state.isInDoubt
            case .committing, .committed: break
            }
            return state.isUndone
        }
    }
}

// MARK: - For stores

extension ActionAttempt {
    /// Runs a transaction of a store as a part of this attempt.
    ///
    /// The store calls these functions in `body`, in this order:
    /// 1. ``ActionTransaction/run(storingReceipt:_:)`` stores the receipt and runs the statements. If the store must run the statements
    ///    again, it calls ``ActionTransaction/willRunAgain()`` before the rollback.
    /// 2. ``ActionTransaction/beginCommit()`` is called directly before the commit.
    /// 3. ``ActionTransaction/endCommit(_:)`` is called directly after the commit.
    ///
    /// - Parameters:
    ///   - topics: The object through which the store announces the topics of its commits.
    ///   - storesReceipt: A Boolean value that indicates whether the receipts of the service are in the store of this transaction.
    /// - Throws: ``TopicsMismatch`` if `topics` is not the object of the service; ``DeadlineFault/notPerformed`` if the attempt was given
    ///   up; the errors of `body`.
    public func transaction<Value: Sendable>(
        announcingTo topics: Topics, storingReceipt storesReceipt: Bool = false, _ body: (ActionTransaction) async throws -> Value
    ) async throws -> Value {
        if topics !== self.topics { throw TopicsMismatch() }
        let transaction = ActionTransaction(attempt: self, storesReceipt: storesReceipt)
        let isClaiming = topics.received != nil && transaction.receipt != nil
        try proceed { state in
            state.transactionCount += 1
            if isClaiming { state.isClaiming = true }
        }
        defer { state.withLock { $0.transactionCount -= 1 } }
        return try await body(transaction)
    }

    var isReceiptStored: Bool { state.withLock { $0.isReceiptStored } }

    /// Changes the state, or throws an error if the attempt was given up.
    fileprivate func proceed(_ change: (inout State) -> Void) throws(DeadlineFault) {
        let isGivenUp = state.withLock { state in
            if state.isGivenUp { state.isUndone = true } else { change(&state) }
            return state.isGivenUp
        }
        if isGivenUp { throw .notPerformed }
    }
}

/// A transaction of a store that is part of an attempt. See ``ActionAttempt/transaction(announcingTo:storingReceipt:_:)``.
public struct ActionTransaction: Sendable {
    /// The outcome of a commit.
    public enum Outcome: Sendable {
        /// The transaction was committed. The position is `nil` if the store has no replicas, or if nothing was announced.
        case committed(at: Position?)
        case undone
        /// The outcome is unknown, because the disk or the connection failed during the commit.
        case unknown
    }

    let attempt: ActionAttempt
    let storesReceipt: Bool
    /// An identifier of the attempt that the transaction is part of.
    public var id: ObjectIdentifier { ObjectIdentifier(attempt) }

    /// The receipt to store, or `nil` if the attempt has no receipt, if the receipt is stored already, or if it belongs to another store.
    fileprivate var receipt: ActionReceipt? { storesReceipt && !attempt.isReceiptStored ? attempt.receipt : nil }

    /// A Boolean value that indicates whether the transaction must be rolled back, because the attempt was given up. In this case, the
    /// store can interrupt a running statement.
    public var isGivenUp: Bool { attempt.state.withLock { $0.isGivenUp } }

    /// Runs the statements of the transaction.
    ///
    /// - Parameter store: A function that stores the receipt in the transaction. It throws ``ReceiptTaken`` if the key already has a
    ///   receipt.
    public func run<Value>(storingReceipt store: (ActionReceipt) throws -> Void, _ body: () throws -> Value) throws -> Value {
        try attempt.proceed { _ in }
        // The receipt is stored first, so that the second of two concurrent attempts with the same key is rejected before it runs its
        // statements.
        if let receipt {
            do { try store(receipt) } catch let taken as ReceiptTaken {
                endClaim(isStored: false)
                throw taken
            }
            endClaim(isStored: true)
        }
        return try body()
    }

    /// Records whether this transaction stored the receipt (`isStored`). Otherwise another attempt has stored one with the same key.
    private func endClaim(isStored: Bool) {
        attempt.state.withLock { ($0.isClaiming, $0.isKnownToBeFirst) = (false, isStored) }
    }

    /// Records that the stored receipt is about to be rolled back, because the statements run again.
    public func willRunAgain() {
        if receipt != nil { attempt.state.withLock { $0.isClaiming = true } }
    }

    /// Records that a commit is about to begin. If this function throws an error, the store must roll back the transaction.
    public func beginCommit() throws(DeadlineFault) {
        try attempt.proceed { if $0.phase != .committed { $0.phase = .committing } }
    }

    /// Records the outcome of the commit. If the outcome is not `committed`, the store may run the statements again.
    public func endCommit(_ outcome: Outcome) {
        attempt.state.withLock { state in
            switch outcome {
            case .committed(let position):
                state.position = [state.position, position].compactMap(\.self).max()
                (state.phase, state.isCommitLost) = (.committed, false)
                if storesReceipt, attempt.receipt != nil { (state.isReceiptStored, state.isClaiming) = (true, false) }
            case .unknown:
                state.isCommitLost = true
                if state.phase == .committing { state.phase = .performing }
            case .undone:
                if state.phase == .committing { state.phase = .performing }
            }
        }
    }
}
