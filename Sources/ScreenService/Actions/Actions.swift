import Logging
import ScreenModel
import ScreenWire

/// The performing of actions: their input is decoded, under one key one thing is done once, and in time or not at all.
final class Actions: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let receipts: any ReceiptStoring
    private let topics: Topics
    private let now: @Sendable () -> Int64
    private let deadline: Deadline
    private let logger: Logger
    let inProgress = AttemptsInProgress()
    let ledger: ReceiptLedger

    init(
        catalog: ScreenCatalog, hash: ContentHash, receipts: any ReceiptStoring, topics: Topics,
        now: @escaping @Sendable () -> Int64, deadline: Deadline, receiptBounds: ReceiptBounds, logger: Logger
    ) {
        self.catalog = catalog
        self.hash = hash
        self.receipts = receipts
        self.topics = topics
        self.now = now
        self.deadline = deadline
        self.logger = logger
        ledger = ReceiptLedger(bounds: receiptBounds, now: now)
    }

    /// Returns once it is done, or was done before under the same key.
    ///
    /// - Parameter deadline: nil for that of all actions.
    /// - Returns: the position of its last commit; nil where it has made none that has one.
    /// - Throws: ``ActionFailure`` with a ``ViewFault``, an ``ActionFault``, ``InputFaults``, a ``DeadlineFault``, or what the action or
    ///   the store throws.
    func perform(
        _ request: ActionRequest, on view: ScreenView, within deadline: Deadline? = nil
    ) async throws(ActionFailure) -> Position? {
        let action: Action
        let deed: Action.Deed
        do {
            let screen: any Screen
            (action, screen) = try catalog.action(request.action, of: view, for: request.caller)
            deed = try action.deed(for: request.input, on: screen)
        } catch {
            throw ActionFailure(cause: error, outcome: .notPerformed)
        }
        let receipt = request.idempotencyKey.map { text in
            // All anonymous callers share their keys.
            let key = ActionReceipt.Key(user: request.caller.user ?? "", screen: view.screen, action: action.name, text: text)
            return ActionReceipt(key: key, request: digest(of: request, view), performedAt: now())
        }
        let attempt = ActionAttempt(receipt, for: receipts, announcingTo: topics)
        do {
            try inProgress.begin(attempt, by: request.caller.limitKey, on: view.screen)
        } catch {
            // An earlier request under its key may have been performed, and no receipt is looked up.
            throw ActionFailure(cause: error, outcome: receipt == nil ? .notPerformed : .unknown)
        }
        let context = ActionContext(screen: ScreenRequest(view: view), caller: request.caller, idempotencyKey: request.idempotencyKey)
        do {
            try await within(deadline ?? self.deadline, attempt, by: request.caller.limitKey, on: view.screen) {
                try await CurrentScreen.$name.withValue(view.screen) { try await deed(context) }
            }
        } catch {
            throw ActionFailure(error, of: attempt)
        }
        return attempt.position
    }

    /// Counts the receipts in the store, now and once an hour, until the task is cancelled.
    func countReceipts() async {
        while !Task.isCancelled {
            var pause = Duration.seconds(3600)
            do {
                try await ledger.recount { [receipts] now in try await receipts.holdings(at: now) }
            } catch {
                if Task.isCancelled { return }
                logger.warning("receipts could not be counted; it is tried again", metadata: ["error": "\(error)"])
                pause = .seconds(60)
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// Runs an attempt that ``inProgress`` has. It is removed there when it has ended, which may be past the deadline.
    private func within(
        _ deadline: Deadline, _ attempt: ActionAttempt, by caller: LimitKey, on screen: String,
        _ deed: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await deadline.value { [self] in
            defer { inProgress.end(attempt) }
            try await once(attempt, by: caller, deed)
        } late: { [self] _ in
            let isUndone = attempt.abandon() && isFirst(attempt)
            inProgress.noteLate(attempt)
            logger.warning("an action took too long", metadata: ["screen": "\(screen)", "isUndone": "\(isUndone)"])
            return isUndone ? DeadlineFault.notPerformed : .outcomeUnknown(hasKey: attempt.receipt != nil)
        }
    }

    /// Whether nothing can have been done under the key of an attempt by those before it.
    private func isFirst(_ attempt: ActionAttempt) -> Bool {
        attempt.receipt == nil || attempt.isKnownToBeFirst
    }

    private func once(_ attempt: ActionAttempt, by caller: LimitKey, _ deed: () async throws -> Void) async throws {
        guard let receipt = attempt.receipt else { return try await perform(deed, attempt) }
        do {
            if try await wasPerformed(receipt, noting: attempt) { return }
        } catch where !(error is ActionFault) {
            throw ActionFailure(cause: error, outcome: .unknown)
        }
        // A commit of another replica that is in progress cannot be seen until the receipt is claimed.
        if topics.heard == nil { attempt.noteFirst() }
        let reservation = try ledger.reserve(receipts.cost(of: receipt.key), for: caller)
        var isStored = false
        defer { ledger.end(reservation, isStored: isStored || attempt.isReceiptKept || attempt.isInDoubt) }
        do {
            try await perform(deed, attempt)
            if !attempt.isReceiptKept {
                // Also where that fails, as it may be stored all the same.
                isStored = true
                try await keepBehind(receipt)
            }
        } catch {
            if attempt.isReceiptKept { throw error }
            try await findDone(receipt, by: attempt, after: error, isPerformed: isStored)
        }
    }

    /// Returns where another attempt has done it meanwhile, which may well be why this one has failed.
    ///
    /// - Parameter isPerformed: whether the handler has succeeded without storing the receipt.
    /// - Throws: why it has, unless nobody knows whether another attempt has done it or is about to.
    private func findDone(
        _ receipt: ActionReceipt, by attempt: ActionAttempt, after failure: any Error, isPerformed: Bool
    ) async throws {
        let isDone: Bool?
        do {
            isDone = try await wasPerformed(receipt, noting: attempt)
        } catch let fault as ActionFault where !isPerformed {
            throw fault
        } catch {
            isDone = nil
        }
        if isDone == true { return }
        let isKnown = isFirst(attempt) || failure as? ActionFault == .performedButNotAnswered
        // Of another replica's commit nothing is found until it is over; a primary that this one has lost, it may have lost as well.
        let mayBeUnderWay = isDone == nil || topics.heard != nil && failure is DataUnavailable
        throw failure is ReceiptTaken || mayBeUnderWay && !isKnown ? DeadlineFault.outcomeUnknown(hasKey: true) : failure
    }

    /// Keeps the receipt of what an action has done in memory alone, or in a store of another kind, which takes no
    /// transaction along.
    private func keepBehind(_ receipt: ActionReceipt) async throws {
        do {
            try await receipts.keep(receipt)
        } catch let taken as ReceiptTaken {
            throw taken
        } catch {
            logger.error("a receipt could not be kept", metadata: ["error": "\(error)"])
            throw ActionFault.performedButNotAnswered
        }
    }

    private func perform(_ deed: () async throws -> Void, _ attempt: ActionAttempt) async throws {
        try attempt.begin()
        var failure: (any Error)?
        do { try await ActionAttempt.$current.withValue(attempt) { try await deed() } } catch { failure = error }
        let unknown = DeadlineFault.outcomeUnknown(hasKey: attempt.receipt != nil)
        // Whatever the deed has made of it.
        if attempt.isInDoubt { throw unknown }
        if let failure {
            // Where it was done in part, the rest was out of reach.
            if failure is DataUnavailable && attempt.isCommitted { throw unknown }
            throw failure
        }
        // Whatever it has made of being kept from writing.
        if attempt.isUndone { throw DeadlineFault.notPerformed }
    }

    private func wasPerformed(_ receipt: ActionReceipt, noting attempt: ActionAttempt) async throws -> Bool {
        guard let earlier = try await receipts.receipt(for: receipt.key), earlier.isAlive(at: receipt.performedAt) else {
            return false
        }
        if earlier.request != receipt.request { throw ActionFault.keyOfOtherRequest }
        attempt.note(earlier.position)
        return true
    }

    /// What was asked for: all but the version, which says what the client holds, and moves on while
    /// it is unsure of having been heard, and but the language and revision of the answer: an app that was
    /// updated before it was heard asks for the same.
    private func digest(of request: ActionRequest, _ view: ScreenView) -> Version {
        var writer = JSONWriter()
        writer.writeArray(view.parameters.flatMap { [$0.name, $0.value] })
        request.input.write(to: &writer)
        return hash.version(of: writer.bytes)
    }
}

extension ActionFailure {
    /// The failure of an attempt that has begun.
    fileprivate init(_ error: any Error, of attempt: ActionAttempt) {
        if let failure = error as? ActionFailure {
            self = failure
            return
        }
        self.init(cause: error, outcome: Self.outcome(of: attempt, failedBy: error))
    }

    private static func outcome(of attempt: ActionAttempt, failedBy error: any Error) -> ProblemDocument.Outcome {
        switch error {
        case ActionFault.performedButNotAnswered: .performed
        case DeadlineFault.outcomeUnknown: .unknown
        // Performed in part.
        case _ where attempt.isCommitted: .unknown
        case ActionFault.receiptsFull: attempt.isKnownToBeFirst ? .notPerformed : .unknown
        // A handler throws these from within its transaction.
        case is BrokenRules, is ScreenError, is DataUnavailable, is ActionFault, is DeadlineFault: .notPerformed
        // A handler that fails by a fault of its own may have done something outside of its transaction.
        default: attempt.hasBegun ? .unknown : .notPerformed
        }
    }
}

extension ActionReceipt {
    func isAlive(at time: Int64) -> Bool {
        // The time comes from a store, so it may be any.
        let (age, overflow) = time.subtractingReportingOverflow(performedAt)
        return overflow ? performedAt > time : age < Self.lifetime
    }
}
