import Synchronization

/// An execution of an action's handler. It keeps the handler's transactions consistent with the response to the client.
///
/// The service binds an attempt to the task that runs the handler. A store that writes in this task must call
/// ``transaction(announcingTo:storingReceipt:_:)``, so that the receipt is stored in the same transaction. If the response states that the
/// action was not performed, the attempt never commits.
public final class ActionAttempt: Sendable {
    /// The attempt that the current task is part of, or `nil` if there is none.
    @TaskLocal public static var current: ActionAttempt?

    fileprivate enum Phase {
        /// The handler has not begun.
        case waiting
        case performing
        /// A transaction is being committed.
        case committing
        /// A transaction was committed.
        case committed
    }

    fileprivate struct State {
        var phase = Phase.waiting
        var transactionCount = 0
        /// A Boolean value that indicates whether the deadline has passed.
        var isAbandoned = false
        /// A Boolean value that indicates whether the attempt was given up and will commit nothing. It becomes `true` if the attempt is
        /// given up before the handler begins or during the first transaction. It also becomes `true` if a step of the attempt is rejected
        /// because the attempt was given up.
        var isUndone = false
        /// A Boolean value that indicates whether the outcome of a commit is unknown.
        var isCommitLost = false
        /// A Boolean value that indicates whether another attempt with the same key can still commit, because the receipt is not stored
        /// yet.
        var isClaiming = false
        var isReceiptStored = false
        /// The latest position of the attempt's commits.
        var position: Position?
        var isKnownToBeFirst = false

        /// A Boolean value that indicates whether the attempt must not write any more, because it was given up before its first commit.
        /// After the first commit, the attempt may still write to complete the action.
        var isGivenUp: Bool { isAbandoned && phase != .committed }

        var isInDoubt: Bool { isCommitLost || isClaiming }
    }

    /// The receipt to store, or `nil` if the client sent no key.
    public let receipt: ActionReceipt?
    /// The store from which the service reads receipts. Only this store may store the receipt.
    public let destination: any ReceiptStoring
    private let topics: Topics
    fileprivate let state = Mutex(State())

    /// Creates an attempt whose handler has not begun.
    ///
    /// - Parameter topics: The topics of the service. Every store that the handler writes to must announce the topics of its commits
    ///   through this object.
    init(_ receipt: ActionReceipt?, for destination: any ReceiptStoring, announcingTo topics: Topics) {
        self.receipt = receipt
        self.destination = destination
        self.topics = topics
    }
}

// MARK: - For the service

extension ActionAttempt {
    /// Records that the handler begins.
    ///
    /// - Throws: ``DeadlineFault/notPerformed`` if the attempt was given up.
    func begin() throws(DeadlineFault) {
        try proceed { $0.phase = .performing }
    }

    /// A Boolean value that indicates whether the handler has begun.
    var hasBegun: Bool { state.withLock { $0.phase != .waiting } }

    /// A Boolean value that indicates whether a transaction was committed.
    var isCommitted: Bool { state.withLock { $0.phase == .committed } }

    /// A Boolean value that indicates whether the outcome of a transaction is unknown. A later commit of this attempt resets the value to
    /// `false`.
    var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

    /// A Boolean value that indicates whether no other attempt can have committed under the key of this attempt. The value is `true` if
    /// the attempt has no key.
    var isKnownToBeFirst: Bool { receipt == nil || state.withLock { $0.isKnownToBeFirst } }

    func noteIsFirst() {
        state.withLock { $0.isKnownToBeFirst = true }
    }

    /// The latest position of the attempt's commits, or `nil` if it has committed nothing or the store has no positions.
    var position: Position? { state.withLock { $0.position } }

    /// Records a position that includes the commits of an earlier attempt with the same key.
    func note(_ position: Position?) {
        state.withLock { $0.position = [$0.position, position].compactMap(\.self).max() }
    }

    /// A Boolean value that indicates whether the attempt was given up and will commit nothing.
    var isUndone: Bool { state.withLock { $0.isUndone } }

    /// Gives up the attempt, because the client no longer waits for the outcome.
    ///
    /// - Returns: `true` if nothing was committed and nothing will be committed. This is the case if the handler has not begun, or if its
    ///   first transaction is in progress and will be rolled back. If the handler is outside of a transaction, the result is `false`,
    ///   because the handler may have effects that the service cannot see.
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
    /// The store calls these functions in `body`:
    /// 1. ``ActionTransaction/run(storingReceipt:_:)`` stores the receipt and runs the statements. Before the store rolls back to run the
    ///    statements again, the store calls ``ActionTransaction/willRunAgain()``.
    /// 2. ``ActionTransaction/beginCommit()`` is called directly before the commit.
    /// 3. ``ActionTransaction/endCommit(_:)`` is called directly after the commit.
    ///
    /// - Parameters:
    ///   - topics: The object through which the store announces the topics of its commits.
    ///   - storesReceipt: A Boolean value that indicates whether the receipts of the service are in the store of this transaction.
    ///   - body: A function that performs the transaction.
    /// - Throws: ``TopicsMismatch`` if `topics` are not the topics of the service; ``DeadlineFault/notPerformed`` if the attempt was given
    ///   up; the errors of `body`.
    public func transaction<Value: Sendable>(
        announcingTo topics: Topics, storingReceipt storesReceipt: Bool = false, _ body: (ActionTransaction) async throws -> Value
    ) async throws -> Value {
        if topics !== self.topics { throw TopicsMismatch() }
        let transaction = ActionTransaction(attempt: self, storesReceipt: storesReceipt)
        // Another replica may be committing under the same key, and its commit is invisible until it is complete. So if the deadline passes
        // before this transaction has stored the receipt, the outcome is unknown.
        let isClaiming = topics.received != nil && transaction.receipt != nil
        try proceed { state in
            state.transactionCount += 1
            if isClaiming { state.isClaiming = true }
        }
        defer { state.withLock { $0.transactionCount -= 1 } }
        return try await body(transaction)
    }

    /// A Boolean value that indicates whether a transaction that stores the receipt was committed.
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
        /// The transaction was committed. The position is `nil` if the store has no replicas or nothing was announced.
        case committed(at: Position?)
        case undone
        /// The outcome of the commit is unknown, because the database files were missing, the disk failed or the connection broke during
        /// the commit.
        case unknown
    }

    let attempt: ActionAttempt
    let storesReceipt: Bool
    /// An identifier of the attempt that the transaction is part of.
    public var id: ObjectIdentifier { ObjectIdentifier(attempt) }

    /// The receipt to store, or `nil` if the attempt has no receipt, if the receipt is stored already, or if it belongs in a different
    /// store.
    fileprivate var receipt: ActionReceipt? { storesReceipt && !attempt.isReceiptStored ? attempt.receipt : nil }

    /// A Boolean value that indicates whether the transaction will be rolled back because the attempt was given up. In this case the store
    /// can interrupt a running statement.
    public var isGivenUp: Bool { attempt.state.withLock { $0.isGivenUp } }

    /// Runs the statements of the transaction.
    ///
    /// - Parameter store: A function that stores the receipt in the transaction. It throws ``ReceiptTaken`` if the key already has a
    ///   receipt.
    public func run<Value>(storingReceipt store: (ActionReceipt) throws -> Void, _ body: () throws -> Value) throws -> Value {
        try attempt.proceed { _ in }
        // The receipt is stored first. Otherwise the second of two concurrent attempts with the same key would run its statements before it
        // is rejected.
        if let receipt {
            do { try store(receipt) } catch let taken as ReceiptTaken {
                endClaim(isStored: false)
                throw taken
            }
            endClaim(isStored: true)
        }
        return try body()
    }

    /// Records that this transaction has stored the receipt, or that another attempt has stored a receipt with the same key.
    private func endClaim(isStored: Bool) {
        attempt.state.withLock { ($0.isClaiming, $0.isKnownToBeFirst) = (false, isStored) }
    }

    /// Records that the receipt is about to be rolled back. Until the receipt is stored again, another attempt with the same key can
    /// commit.
    public func willRunAgain() {
        if receipt != nil { attempt.state.withLock { $0.isClaiming = true } }
    }

    /// Records that the transaction is about to be committed. If this function throws an error, the store must roll back the transaction.
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
