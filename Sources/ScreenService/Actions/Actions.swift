import Logging
import ScreenModel
import ScreenWire

/// The part of the service that performs actions.
///
/// An action is performed at most once per idempotency key. An ``ActionAttempt`` first holds the key in `inProgress`, then looks for a
/// receipt with the key, then runs the handler and stores a receipt. Without replicas, no other attempt can run under the same key
/// meanwhile. With replicas, an attempt on another replica may run at the same time. An attempt is known to be the first under its key when
/// it has stored the receipt.
final class Actions: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let receipts: any ReceiptStoring
    private let topics: Topics
    private let metrics: ServiceMetrics
    private let clock: any WallClock
    private let deadline: Deadline
    private let logger: Logger
    let inProgress = AttemptsInProgress()
    let ledger: ReceiptLedger

    init(
        catalog: ScreenCatalog, hash: ContentHash, receipts: any ReceiptStoring, topics: Topics, metrics: ServiceMetrics,
        clock: any WallClock, deadline: Deadline, receiptBounds: ReceiptBounds, logger: Logger
    ) {
        self.catalog = catalog
        self.hash = hash
        self.receipts = receipts
        self.topics = topics
        self.metrics = metrics
        self.clock = clock
        self.deadline = deadline
        self.logger = logger
        ledger = ReceiptLedger(bounds: receiptBounds, now: { clock.now })
    }

    /// Performs an action, unless it was performed before under the same key.
    ///
    /// - Returns: The position of the last commit, or `nil` if nothing was committed or the store has no positions.
    /// - Throws: ``ActionFailure`` with a ``ViewFault``, an ``ActionFault``, ``InputFaults``, a ``DeadlineFault``, or an error of the
    ///   handler or the store.
    func perform(
        _ request: ActionRequest, on view: ScreenView, within deadline: Deadline? = nil
    ) async throws(ActionFailure) -> Position? {
        let action: Action
        let handler: Action.Handler
        do {
            let screen: any Screen
            (action, screen) = try catalog.action(request.action, of: view, for: request.caller)
            handler = try action.handler(for: request.input, on: screen)
        } catch {
            throw ActionFailure(cause: error, outcome: .notPerformed)
        }
        let receipt = request.idempotencyKey.map { text in
            // Anonymous callers share one namespace of keys.
            let key = ActionReceipt.Key(user: request.caller.user ?? "", screen: view.screen, action: action.name, text: text)
            return ActionReceipt(key: key, request: digest(of: request, view), performedAt: clock.now)
        }
        let attempt = ActionAttempt(receipt, for: receipts, announcingTo: topics)
        do {
            try inProgress.begin(attempt, by: request.caller.limitKey, on: view.screen)
        } catch {
            // The receipts have not been read yet, so an earlier attempt with the same key may have performed the action.
            throw ActionFailure(cause: error, outcome: receipt == nil ? .notPerformed : .unknown)
        }
        let screen = ScreenRequest(view: view, clock: clock)
        let context = ActionContext(screen: screen, caller: request.caller, idempotencyKey: request.idempotencyKey)
        do {
            try await run(attempt, within: deadline ?? self.deadline, by: request.caller.limitKey, on: view.screen) { [metrics] in
                try await metrics.timingHandler(of: view.screen) {
                    try await CurrentScreen.$name.withValue(view.screen) { try await handler(context) }
                }
            }
        } catch {
            throw ActionFailure(error, of: attempt)
        }
        return attempt.position
    }

    func countReceipts() async {
        while !Task.isCancelled {
            var pause = Duration.seconds(3600)
            do {
                try await ledger.recount { [receipts] now in try await receipts.holdings(at: now) }
            } catch {
                if Task.isCancelled { return }
                logger.warning("receipts could not be counted; the next attempt is in a minute", metadata: ["error": "\(error)"])
                pause = .seconds(60)
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// Runs an attempt. An attempt that is past its deadline stays in ``inProgress`` until it has ended.
    private func run(
        _ attempt: ActionAttempt, within deadline: Deadline, by caller: LimitKey, on screen: String,
        _ handler: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await deadline.value { [self] in
            defer { inProgress.end(attempt) }
            try await performOnce(attempt, by: caller, handler)
        } late: { [self] _ in
            let isUndone = attempt.abandon() && attempt.isKnownToBeFirst
            inProgress.noteLate(attempt)
            logger.warning("an action took too long", metadata: ["screen": "\(screen)", "isUndone": "\(isUndone)"])
            return isUndone ? DeadlineFault.notPerformed : .outcomeUnknown(hasKey: attempt.receipt != nil)
        }
    }

    private func performOnce(_ attempt: ActionAttempt, by caller: LimitKey, _ handler: () async throws -> Void) async throws {
        guard let receipt = attempt.receipt else { return try await perform(handler, attempt) }
        do {
            if try await wasPerformed(receipt, noting: attempt) { return }
        } catch let error where !(error is ActionFault) {
            throw ActionFailure(cause: error, outcome: .unknown)
        }
        if topics.received == nil { attempt.noteIsFirst() }
        let reservation = try ledger.reserve(receipts.cost(of: receipt.key), for: caller)
        var isStored = false
        defer { ledger.end(reservation, isStored: isStored || attempt.isReceiptStored || attempt.isInDoubt) }
        do {
            try await perform(handler, attempt)
            if !attempt.isReceiptStored {
                // `isStored` is set before the call, because an error does not prove that the receipt was not stored.
                isStored = true
                try await store(receipt)
            }
        } catch {
            if attempt.isReceiptStored { throw error }
            try await resolve(error, of: attempt, receipt, isPerformed: isStored)
        }
    }

    /// Determines the result of a failed attempt. Returns without an error if another attempt has performed the action meanwhile.
    ///
    /// - Parameter isPerformed: A Boolean value that indicates whether the handler succeeded without storing the receipt.
    /// - Throws: `failure`, or ``DeadlineFault/outcomeUnknown(hasKey:)`` if another attempt may perform the action.
    private func resolve(
        _ failure: any Error, of attempt: ActionAttempt, _ receipt: ActionReceipt, isPerformed: Bool
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
        let isKnown = attempt.isKnownToBeFirst || failure as? ActionFault == .performedButNotAnswered
        // The failure can mean that the primary server of the database is unreachable. Another replica may have lost its connection to this
        // server while it committed a transaction with the same key. `wasPerformed` does not find this commit, but the commit may become
        // visible later.
        let mayBeInProgress = isDone == nil || topics.received != nil && failure is DataUnavailable
        throw failure is ReceiptTaken || mayBeInProgress && !isKnown ? DeadlineFault.outcomeUnknown(hasKey: true) : failure
    }

    /// Stores the receipt of an action in a separate transaction. This is necessary if the handler has committed no transaction of the
    /// receipt store, so that no transaction of the handler has stored the receipt.
    private func store(_ receipt: ActionReceipt) async throws {
        do {
            try await receipts.keep(receipt)
        } catch let error where !(error is ReceiptTaken) {
            logger.error("a receipt could not be stored", metadata: ["error": "\(error)"])
            throw ActionFault.performedButNotAnswered
        }
    }

    private func perform(_ handler: () async throws -> Void, _ attempt: ActionAttempt) async throws {
        try attempt.begin()
        var failure: (any Error)?
        do { try await ActionAttempt.$current.withValue(attempt) { try await handler() } } catch { failure = error }
        let unknown = DeadlineFault.outcomeUnknown(hasKey: attempt.receipt != nil)
        // The handler may have ignored an error of a store, so the state of the attempt takes precedence over the result of the handler.
        if attempt.isInDoubt { throw unknown }
        if let failure {
            // The handler committed a transaction before another of its transactions failed, so the action may have been performed in part.
            if failure is DataUnavailable && attempt.isCommitted { throw unknown }
            throw failure
        }
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

    /// Returns a hash of the view's parameters and the request's input. The version, locale and revision are excluded, because they may
    /// change before a client repeats its request.
    private func digest(of request: ActionRequest, _ view: ScreenView) -> Version {
        var writer = JSONWriter()
        writer.writeArray(view.parameters.flatMap { [$0.name, $0.value] })
        request.input.write(to: &writer)
        return hash.version(of: writer.bytes)
    }
}

extension ActionFailure {
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
        // The action may have been performed in part.
        case _ where attempt.isCommitted: .unknown
        case ActionFault.receiptsFull: attempt.isKnownToBeFirst ? .notPerformed : .unknown
        // A handler throws these errors within its transaction, which is then rolled back.
        case is BrokenRules, is ScreenError, is DataUnavailable, is ActionFault, is DeadlineFault: .notPerformed
        // A handler that fails by a programming error may have had effects outside of its transaction.
        default: attempt.hasBegun ? .unknown : .notPerformed
        }
    }
}

extension ActionReceipt {
    /// Returns a Boolean value that indicates whether the receipt is valid at a time. A damaged store can contain any `performedAt`, so the
    /// subtraction can overflow.
    func isAlive(at time: Int64) -> Bool {
        let (age, overflow) = time.subtractingReportingOverflow(performedAt)
        return overflow ? performedAt > time : age < Self.lifetime
    }
}
