import Synchronization

/// One try at an action, as the transactions see it in which it writes: the receipt to keep there, and whether
/// the action still counts.
///
/// The service binds one to the task in which an action is performed. A store that writes there keeps the
/// receipt in that same transaction, so that deed and receipt are both kept or neither, and asks
/// before it commits: once a client was told that nothing was done, nothing may be.
public final class ActionAttempt: Sendable {
    /// The attempt that this task is part of; nil outside of any.
    @TaskLocal public static var current: ActionAttempt?

    private enum Phase {
        /// The deed has not begun.
        case waiting
        case performing
        /// A transaction is being committed, or could not be.
        case committing
        case committed
    }

    private struct State {
        var phase = Phase.waiting
        var transactionCount = 0
        var isAbandoned = false
        /// A step was refused, or it was given up before any could be done.
        var isUndone = false
        /// Asks the store in which it writes whether a commit has failed there that may be found to have happened.
        var isStoreInDoubt: @Sendable () -> Bool = { false }
        /// After a commit, another transaction was about to be committed, and was not.
        var hasFailedSinceCommit = false
        /// Nobody knows what became of a commit, its own or another one's under its key.
        var isLost = false
        /// Its receipt is not kept yet, so that another attempt under its key may be committed.
        var isClaiming = false
        var isReceiptKept = false
        /// Of the last of its commits.
        var position: Position?
        var isKnownToBeFirst = false

        /// Whether it must not write any more. What was committed in part is completed.
        var isGivenUp: Bool { isAbandoned && phase != .committed }

        var isInDoubt: Bool { isLost || isClaiming || (phase != .committed || hasFailedSinceCommit) && isStoreInDoubt() }
    }

    /// Nil where the client sent no key.
    public let receipt: ActionReceipt?
    /// Where the receipt will be looked for. A store that keeps receipts elsewhere leaves it alone.
    public let destination: any ReceiptStoring
    private let topics: Topics
    private let state = Mutex(State())

    /// - Parameter topics: those of the service, to which what it changes is announced.
    init(_ receipt: ActionReceipt?, for destination: any ReceiptStoring, announcingTo topics: Topics) {
        self.receipt = receipt
        self.destination = destination
        self.topics = topics
    }
}

// What the service says.
extension ActionAttempt {
    /// Says that the deed begins.
    func begin() throws(DeadlineFault) {
        try proceed { $0.phase = .performing }
    }

    /// A Boolean value that indicates whether the handler has begun.
    var hasBegun: Bool { state.withLock { $0.phase != .waiting } }

    /// Whether a transaction of it was committed.
    var isCommitted: Bool { state.withLock { $0.phase == .committed } }

    /// Whether nobody knows what became of a transaction of it. Where a commit failed, another one in that store ends the doubt;
    /// where the files were gone, another one of this attempt.
    var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

    /// Whether nobody knows what became of an earlier attempt under its key. A commit where the receipts are ends the doubt.
    var isKeyInDoubt: Bool { receipt != nil && destination.isInDoubt }

    /// Whether it is known that nothing had been done under its key when it began, or when it claimed it.
    var isKnownToBeFirst: Bool { state.withLock { $0.isKnownToBeFirst } }

    func noteFirst() {
        state.withLock { $0.isKnownToBeFirst = true }
    }

    /// That of the last of its commits; nil where there is none, or the store has no positions.
    var position: Position? { state.withLock { $0.position } }

    /// Notes a position at which all is there that an earlier attempt has done.
    func note(_ position: Position?) {
        state.withLock { $0.position = [$0.position, position].compactMap(\.self).max() }
    }

    /// Whether it was kept from writing.
    var isUndone: Bool { state.withLock { $0.isUndone } }

    /// Says that its client does not wait any longer.
    ///
    /// - Returns: whether nothing was done and nothing will be: it has not begun, or it is within a
    ///   transaction that is rolled back. What a deed does elsewhere is known to nobody.
    func abandon() -> Bool {
        state.withLock { state in
            state.isAbandoned = true
            switch state.phase {
            case .waiting: state.isUndone = true
            case .performing: state.isUndone = state.transactionCount > 0 && !state.isInDoubt
            case .committing, .committed: break
            }
            return state.isUndone
        } && !isKeyInDoubt
    }
}

// What a store says of each transaction, in this order.
extension ActionAttempt {
    /// Says that a transaction is to begin.
    ///
    /// - Parameters:
    ///   - topics: where the store announces what it commits.
    ///   - isInDoubt: whether a commit has failed there that may be found to have happened when the data is opened next. It is
    ///     asked under a lock, so it only looks. Nil for a store in which that cannot be.
    ///   - isClaiming: whether it will keep the receipt, which other processes may do as well: see ``beginClaim()``.
    /// - Throws: ``OtherTopics`` where these are not the service's; ``DeadlineFault``.
    public func enterTransaction(
        announcingTo topics: Topics, isInDoubt: (@Sendable () -> Bool)? = nil, isClaiming: Bool = false
    ) throws {
        if topics !== self.topics { throw OtherTopics() }
        try proceed { state in
            state.transactionCount += 1
            if isClaiming { state.isClaiming = true }
            if let isInDoubt { state.isStoreInDoubt = isInDoubt }
        }
    }

    /// Says that the statements of a transaction are about to run.
    public func beginStatements() throws(DeadlineFault) {
        try proceed { _ in }
    }

    /// Whether the transaction can stop where it is, as it must not be committed.
    public var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

    /// Says that a transaction is about to be committed. If it throws, the transaction must be rolled back.
    public func beginCommit() throws(DeadlineFault) {
        try proceed { if $0.phase != .committed { $0.phase = .committing } }
    }

    /// Says that a transaction was not committed after all, or that nobody knows. It may begin again.
    public func leaveCommit() {
        state.withLock { state in
            if state.phase == .committing { state.phase = .performing }
            if state.phase == .committed { state.hasFailedSinceCommit = true }
        }
    }

    /// Says that a transaction was committed.
    ///
    /// - Parameter position: that of the commit, in a store that replicas share; nil where it has touched nothing that is announced.
    public func markCommitted(withReceipt isReceiptKept: Bool, at position: Position? = nil) {
        state.withLock { state in
            state.position = [state.position, position].compactMap(\.self).max()
            state.phase = .committed
            state.hasFailedSinceCommit = false
            state.isLost = false
            if isReceiptKept { (state.isReceiptKept, state.isClaiming) = (true, false) }
        }
    }

    /// Says that its receipt is not kept, or no longer: until it is, another attempt under its key may be committed.
    public func beginClaim() {
        state.withLock { $0.isClaiming = true }
    }

    /// Says that the receipt is kept in the transaction, or that another one's is. Where neither comes to pass it stays in doubt.
    ///
    /// - Parameter isKept: whether it is its own.
    public func endClaim(isKept: Bool) {
        state.withLock { state in
            state.isClaiming = false
            state.isKnownToBeFirst = isKept
        }
    }

    /// Says that nobody knows whether a commit will last: the files were gone by then, or the connection, or the standby.
    public func markLost() {
        state.withLock { $0.isLost = true }
    }

    /// Says that a transaction is over, committed or not.
    public func leaveTransaction() {
        state.withLock { $0.transactionCount -= 1 }
    }

    /// Whether a transaction that holds the receipt was committed.
    public var isReceiptKept: Bool { state.withLock { $0.isReceiptKept } }

    private func proceed(_ change: (inout State) -> Void) throws(DeadlineFault) {
        let isGivenUp = state.withLock { state in
            if state.isGivenUp { state.isUndone = true } else { change(&state) }
            return state.isGivenUp
        }
        if isGivenUp { throw .notPerformed }
    }
}
