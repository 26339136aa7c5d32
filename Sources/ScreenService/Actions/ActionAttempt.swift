import Synchronization

/// One try at an action, as the transactions see it in which it writes: the receipt to keep there, and whether
/// the action still counts.
///
/// The service binds one to the task in which an action is performed. A store that writes there does so in a
/// ``transaction(announcingTo:storingReceipt:_:)``: it stores the receipt with what it writes, and commits only if the attempt still counts. An
/// attempt that was answered as not performed is never committed.
public final class ActionAttempt: Sendable {
    /// The attempt that this task is part of; nil outside of any.
    @TaskLocal public static var current: ActionAttempt?

    fileprivate enum Phase {
        /// The deed has not begun.
        case waiting
        case performing
        /// A transaction is being committed, or could not be.
        case committing
        case committed
    }

    fileprivate struct State {
        var phase = Phase.waiting
        var transactionCount = 0
        var isAbandoned = false
        /// A step was refused, or it was given up before any could be done.
        var isUndone = false
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

        var isInDoubt: Bool { isLost || isClaiming }
    }

    /// Nil where the client sent no key.
    public let receipt: ActionReceipt?
    /// Where the receipt will be looked for. A store that keeps receipts elsewhere leaves it alone.
    public let destination: any ReceiptStoring
    private let topics: Topics
    fileprivate let state = Mutex(State())

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

    /// A Boolean value that indicates whether the outcome of a transaction is unknown. Where the files were gone, another commit of this attempt
    /// ends the doubt.
    var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

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
        }
    }
}

// MARK: - Transactions

extension ActionAttempt {
    /// Runs a transaction of a store as a part of this attempt, and keeps the order that the store and the attempt agree on.
    ///
    /// 1. The attempt enters the transaction, unless it was given up.
    /// 2. `body` runs the statements within ``ActionTransaction/run(storingReceipt:_:)``, which stores the receipt first. A store that runs them
    ///    again calls ``ActionTransaction/willRunAgain()`` before it rolls back.
    /// 3. Right before the commit it calls ``ActionTransaction/beginCommit()``, and after it ``ActionTransaction/endCommit(_:)``.
    /// 4. The attempt leaves the transaction.
    ///
    /// - Parameters:
    ///   - topics: where the store announces what it commits.
    ///   - storesReceipt: a Boolean value that indicates whether the receipts of the service are in that store.
    /// - Throws: ``OtherTopics`` where these are not the service's topics; ``DeadlineFault``; what `body` throws.
    public func transaction<Value: Sendable>(
        announcingTo topics: Topics, storingReceipt storesReceipt: Bool = false, _ body: (ActionTransaction) async throws -> Value
    ) async throws -> Value {
        if topics !== self.topics { throw OtherTopics() }
        let transaction = ActionTransaction(attempt: self, storesReceipt: storesReceipt)
        // Before it waits for anything: a commit of another replica under its key that is in progress cannot be seen.
        let isClaiming = topics.heard != nil && transaction.receipt != nil
        try proceed { state in
            state.transactionCount += 1
            if isClaiming { state.isClaiming = true }
        }
        defer { state.withLock { $0.transactionCount -= 1 } }
        return try await body(transaction)
    }

    /// A Boolean value that indicates whether a transaction that stores the receipt was committed.
    var isReceiptKept: Bool { state.withLock { $0.isReceiptKept } }

    fileprivate func proceed(_ change: (inout State) -> Void) throws(DeadlineFault) {
        let isGivenUp = state.withLock { state in
            if state.isGivenUp { state.isUndone = true } else { change(&state) }
            return state.isGivenUp
        }
        if isGivenUp { throw .notPerformed }
    }
}

/// A transaction of a store that is a part of an attempt: see ``ActionAttempt/transaction(announcingTo:storingReceipt:_:)``.
public struct ActionTransaction: Sendable {
    /// The outcome of a commit.
    public enum Outcome: Sendable {
        /// With the position of the commit, in a store that replicas share; nil where it has touched nothing that is announced.
        case committed(at: Position?)
        case undone
        /// The files were gone by then, the disk has failed, or the connection broke: it may last or not.
        case unknown
    }

    let attempt: ActionAttempt
    let storesReceipt: Bool
    /// The same for all transactions of one attempt.
    public var id: ObjectIdentifier { ObjectIdentifier(attempt) }

    /// The receipt to store; nil where there is none, or it is stored already or elsewhere.
    fileprivate var receipt: ActionReceipt? { storesReceipt && !attempt.isReceiptKept ? attempt.receipt : nil }

    /// A Boolean value that indicates whether a statement can stop where it is, as the transaction must not be committed.
    public var isGivenUp: Bool { attempt.state.withLock { $0.isGivenUp } }

    /// Runs the statements of the transaction.
    ///
    /// - Parameter store: stores the receipt of the action in the transaction, and throws ``ReceiptTaken`` where there is one under its key.
    public func run<Value>(storingReceipt store: (ActionReceipt) throws -> Void, _ body: () throws -> Value) throws -> Value {
        try attempt.proceed { _ in }
        // First, so that of two attempts under one key the later one does nothing.
        if let receipt {
            do { try store(receipt) } catch let taken as ReceiptTaken {
                endClaim(isKept: false)
                throw taken
            }
            endClaim(isKept: true)
        }
        return try body()
    }

    /// Notes that the receipt is stored in the transaction, or that another attempt has stored one.
    private func endClaim(isKept: Bool) {
        attempt.state.withLock { ($0.isClaiming, $0.isKnownToBeFirst) = (false, isKept) }
    }

    /// Notes that the receipt is no longer stored: until it is, another attempt under its key may be committed.
    public func willRunAgain() {
        if receipt != nil { attempt.state.withLock { $0.isClaiming = true } }
    }

    /// Notes that the transaction is about to be committed. If it throws, the transaction must be rolled back.
    public func beginCommit() throws(DeadlineFault) {
        try attempt.proceed { if $0.phase != .committed { $0.phase = .committing } }
    }

    /// Notes the outcome of the commit. After another one than `committed` the statements may run again.
    public func endCommit(_ outcome: Outcome) {
        attempt.state.withLock { state in
            switch outcome {
            case .committed(let position):
                state.position = [state.position, position].compactMap(\.self).max()
                (state.phase, state.isLost) = (.committed, false)
                if storesReceipt, attempt.receipt != nil { (state.isReceiptKept, state.isClaiming) = (true, false) }
            case .unknown:
                state.isLost = true
                if state.phase == .committing { state.phase = .performing }
            case .undone:
                if state.phase == .committing { state.phase = .performing }
            }
        }
    }
}
