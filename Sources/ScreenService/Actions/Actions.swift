import Logging
import ScreenModel
import ScreenWire
import Synchronization

/// The performing of actions: their input is decoded, under one key one thing is done once, and in time or not at all.
final class Actions: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let receipts: any ReceiptStoring
    private let topics: Topics
    private let now: @Sendable () -> Int64
    private let deadline: Deadline
    private let logger: Logger
    private let underWay = Mutex<Set<ActionReceipt.Key>>([])
    /// How many attempts under a key were left behind, of which nobody knows what became, and have not ended.
    private let unsure = Mutex<[ActionReceipt.Key: Int]>([:])
    let stragglers = Stragglers()

    init(
        catalog: ScreenCatalog, hash: ContentHash, receipts: any ReceiptStoring, topics: Topics,
        now: @escaping @Sendable () -> Int64, deadline: Deadline, logger: Logger
    ) {
        self.catalog = catalog
        self.hash = hash
        self.receipts = receipts
        self.topics = topics
        self.now = now
        self.deadline = deadline
        self.logger = logger
    }

    /// Returns once it is done, or was done before under the same key.
    ///
    /// - Parameter deadline: nil for that of all actions.
    /// - Returns: The position of its last commit; nil where it has made none that has one.
    /// - Throws: ``ViewFault``, ``ActionFault``, ``InputFaults``, ``DeadlineFault``, or what the action throws. But for
    ///   ``DeadlineFault/outcomeUnknown(hasKey:)`` and ``ActionFault/performedButNotAnswered``, nothing was done then that
    ///   the action has not committed itself before it threw.
    func perform(_ request: ActionRequest, on view: ScreenView, within deadline: Deadline? = nil) async throws -> Position? {
        let action = try catalog.action(request.action, of: view, for: request.caller)
        let deed = try action.deed(for: request.input)
        let receipt = request.idempotencyKey.map { text in
            // All of whom it is not known who they are share their keys.
            let key = ActionReceipt.Key(user: request.caller.user ?? "", screen: view.screen, action: action.name, text: text)
            return ActionReceipt(key: key, request: digest(of: request, view), performedAt: now())
        }
        return try await alone(receipt?.key) {
            let attempt = ActionAttempt(receipt, for: receipts, announcingTo: topics)
            try await within(deadline ?? self.deadline, attempt, view.screen) {
                try await CurrentScreen.$name.withValue(view.screen) {
                    try await deed(ActionContext(screen: ScreenRequest(view: view), caller: request.caller))
                }
            }
            return attempt.position
        }
    }

    /// Runs `body` while nobody else does under the same key.
    private func alone<Value>(_ key: ActionReceipt.Key?, _ body: () async throws -> Value) async throws -> Value {
        guard let key else { return try await body() }
        guard underWay.withLock({ $0.insert(key).inserted }) else { throw ActionFault.underWay }
        // The key is free after the deadline: of several attempts, the one whose receipt is kept wins.
        defer { underWay.withLock { _ = $0.remove(key) } }
        return try await body()
    }

    private func within(
        _ deadline: Deadline, _ attempt: ActionAttempt, _ screen: String, _ deed: @escaping @Sendable () async throws -> Void
    ) async throws {
        do {
            try stragglers.admit(screen)
        } catch {
            // Nobody looks whether it was done under its key before.
            throw attempt.receipt == nil ? error : .outcomeUnknown(hasKey: true)
        }
        try await deadline.value { [self] in
            try await once(attempt, deed)
        } late: { [self] task in
            let isUndone = attempt.abandon() && isFirst(attempt)
            stragglers.add(task, of: screen)
            if !isUndone { noteUnsure(attempt, until: task) }
            logger.warning("an action took too long", metadata: ["screen": "\(screen)", "isUndone": "\(isUndone)"])
            return isUndone ? DeadlineFault.notPerformed : .outcomeUnknown(hasKey: attempt.receipt != nil)
        }
    }

    /// Whether nothing can have been done under the key of an attempt by those before it.
    private func isFirst(_ attempt: ActionAttempt) -> Bool {
        guard let receipt = attempt.receipt else { return true }
        return attempt.isKnownToBeFirst && !isUnsure(receipt.key)
    }

    /// Whether earlier attempts under a key go on past their deadlines.
    private func isUnsure(_ key: ActionReceipt.Key) -> Bool {
        unsure.withLock { $0[key] != nil }
    }

    private func noteUnsure(_ attempt: ActionAttempt, until task: Task<Void, Never>) {
        guard let key = attempt.receipt?.key else { return }
        unsure.withLock { $0[key, default: 0] += 1 }
        Task {
            await task.value
            unsure.withLock { unsure in
                let rest = unsure[key, default: 1] - 1
                unsure[key] = rest > 0 ? rest : nil
            }
        }
    }

    private func once(_ attempt: ActionAttempt, _ deed: () async throws -> Void) async throws {
        guard let receipt = attempt.receipt else { return try await perform(deed, attempt) }
        // Before the look: the receipt of one that ends in between may be kept behind it.
        let isUnsure = isUnsure(receipt.key)
        do {
            if try await wasPerformed(receipt, noting: attempt) { return }
        } catch where !(error is ActionFault) {
            throw DeadlineFault.outcomeUnknown(hasKey: true)
        }
        // Of another replica's commit that is under way nothing is seen until the receipt is claimed.
        if !isUnsure, topics.heard == nil { attempt.noteFirst() }
        do {
            try await perform(deed, attempt)
            if !attempt.isReceiptKept { try await keepBehind(receipt) }
        } catch {
            if attempt.isReceiptKept { throw error }
            try await findDone(receipt, by: attempt, after: error)
        }
    }

    /// Returns where another attempt has done it meanwhile, which may well be why this one has failed.
    ///
    /// - Throws: why it has, unless nobody knows whether another attempt has done it or is about to.
    private func findDone(_ receipt: ActionReceipt, by attempt: ActionAttempt, after failure: any Error) async throws {
        let isDone: Bool?
        do {
            isDone = try await wasPerformed(receipt, noting: attempt)
        } catch let fault as ActionFault {
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
            if attempt.isReceiptKept { throw failure }
            throw await isInDoubt(attempt) ? unknown : failure
        }
        // Whatever it has made of being kept from writing.
        if attempt.isUndone { throw DeadlineFault.notPerformed }
    }

    /// Whether an earlier attempt under its key may yet succeed, or be found done when the data is opened next.
    private func isInDoubt(_ attempt: ActionAttempt) async -> Bool {
        if let key = attempt.receipt?.key, isUnsure(key) { return true }
        // Nobody else may ever write.
        if attempt.isKeyInDoubt { try? await receipts.endDoubt() }
        return attempt.isKeyInDoubt
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
        writer.write(request.input)
        return hash.version(of: writer.bytes)
    }
}

extension ActionReceipt {
    func isAlive(at time: Int64) -> Bool {
        // The time comes from a store, so it may be any.
        let (age, overflow) = time.subtractingReportingOverflow(performedAt)
        return overflow ? performedAt > time : age < Self.lifetime
    }
}
