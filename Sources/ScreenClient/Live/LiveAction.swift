import Foundation
import Observation
public import ScreenModel
import ScreenWire

/// An action of a screen. Only one execution of the action can be in progress.
@MainActor
public final class LiveAction {
    public let name: String
    /// The id of the cell that offers the action, or `nil` if the action does not belong to a cell.
    public let cell: String?
    private let screen: LiveScreen

    init(_ name: String, cell: String?, screen: LiveScreen) {
        self.name = name
        self.cell = cell
        self.screen = screen
    }

    /// A Boolean value that indicates whether the action is being executed.
    public var isExecuting: Bool { screen.isExecuting(name, cell) }

    /// A Boolean value that indicates whether the action can be executed now.
    ///
    /// The value is false while the action is being executed, while the cell disables the action, and while the screen is followed but the
    /// server cannot be reached.
    public var isEnabled: Bool { !isExecuting && screen.isReachable && !screen.isDisabled(name, cell) }

    /// Executes the action.
    ///
    /// Actions of one screen are performed in the order of the calls. If the task is cancelled, the client stops the attempt. If a request
    /// for the attempt was already sent, the outcome is not known, and ``LiveScreen/undecided()`` returns the attempt.
    ///
    /// - Throws: ``ActionError``
    public func callAsFunction(_ input: JSONValue = [:]) async throws(ActionError) {
        guard isEnabled else { throw .disabled }
        try await screen.execute(name, cell, input)
    }
}

/// An action that is being executed.
struct Execution {
    let attempt: ActionAttempt
    /// A Boolean value that indicates whether an earlier execution may have performed the action. In this case, the attempt is already
    /// stored.
    let isInDoubt: Bool
    /// The task that stores the attempt, and then performs the action.
    let storing: Task<Void, Never>
    /// The continuation of the call that executes the action. The value is `nil` after the action has ended, even if the attempt is still
    /// being stored or removed.
    var end: CheckedContinuation<ActionError?, Never>?
}

extension LiveScreen {
    /// Returns an action of the screen.
    ///
    /// - Parameter cell: The id of the cell that offers the action, or `nil`.
    public func action(_ name: String, cell: String? = nil) -> LiveAction {
        LiveAction(name, cell: cell, screen: self)
    }

    func isExecuting(_ name: String, _ cell: String?) -> Bool {
        registrar.access(self, keyPath: \.connection)
        return executions.values.contains { $0.attempt.action == name && $0.attempt.cell == cell }
    }

    /// Returns a Boolean value that indicates whether the cell disables the action.
    func isDisabled(_ name: String, _ cell: String?) -> Bool {
        guard let cell, let place = model.place(of: cell) else { return false }
        return model[place].actions.contains { $0.name == name && $0.isDisabled }
    }

    func execute(_ name: String, _ cell: String?, _ input: JSONValue) async throws(ActionError) {
        let attempt = ActionAttempt(
            key: UUID().uuidString.lowercased(), action: name, cell: cell, input: input, view: view, baseURL: client.exchanges.base,
            user: client.user, created: Date())
        try await execute(attempt, isInDoubt: false)
    }

    /// Repeats an attempt whose outcome is not known. The server performs the action at most once.
    ///
    /// - Throws: ``ActionError``. The error is ``ActionError/disabled`` if the attempt is not repeatable
    ///   (``ActionAttempt/isRepeatable(at:)``), or if it belongs to another user, server or screen.
    public func retry(_ attempt: ActionAttempt) async throws(ActionError) {
        let isOwn = client.isUser(attempt.user) && attempt.baseURL == client.exchanges.base && attempt.view.screen == name
        guard isOwn, attempt.isRepeatable(at: Date()), !client.executingKeys.contains(attempt.key) else { throw .disabled }
        try await execute(attempt, isInDoubt: true)
    }

    /// Removes a stored attempt whose outcome is not known.
    public func discard(_ attempt: ActionAttempt) async {
        guard let user = client.user else { return }
        await client.attempts?.removeAttempt(attempt.key, of: user)
    }

    /// Returns the stored attempts of this screen whose outcome is not known, oldest first. Some attempts can be too old to be repeated
    /// (``ActionAttempt/isRepeatable(at:)``). The app can then ask the user to check the outcome, and ``discard(_:)`` the attempt.
    public func undecided() async -> [ActionAttempt] {
        guard let user = client.user, let store = client.attempts else { return [] }
        // An execution can begin or end while the attempts are being read. Therefore the keys are read before and after.
        let earlier = client.executingKeys
        let attempts = await store.attempts(of: user)
        let executing = earlier.union(client.executingKeys)
        return attempts.filter { $0.view.screen == name && $0.baseURL == client.exchanges.base && !executing.contains($0.key) }
    }

    private func execute(_ attempt: ActionAttempt, isInDoubt: Bool) async throws(ActionError) {
        guard !isExecuting(attempt.action, attempt.cell) else { throw .disabled }
        let endRequest = beginRequest()
        defer { endRequest() }
        let (key, user) = (attempt.key, attempt.user)
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { end in
                // Attempts are stored one after another, so that actions are performed in the order of the calls.
                let storing = Task { [earlier = storing] in
                    await earlier?.value
                    await storeAndPerform(key, of: user)
                }
                self.storing = storing
                set(Execution(attempt: attempt, isInDoubt: isInDoubt, storing: storing, end: end), for: key)
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.abandon(key) }
        }
        // If the action was cancelled, the store may still be storing the attempt.
        await executions[key]?.storing.value
        let isUndecided = if case .undecided? = error { true } else { false }
        if let user, !isUndecided { await client.attempts?.removeAttempt(key, of: user) }
        set(nil, for: key)
        if let error { throw error }
    }

    private func set(_ execution: Execution?, for key: String) {
        executions[key] = execution
        registrar.withMutation(of: self, keyPath: \.connection) {}
    }

    /// Stores an attempt, and then performs its action. If the action was cancelled before or during the storing, the action is not
    /// performed.
    private func storeAndPerform(_ key: String, of user: String?) async {
        guard let execution = executions[key], execution.end != nil else { return }
        let attempt = execution.attempt
        if let user, !execution.isInDoubt {
            do { try await client.attempts?.store(attempt, of: user) } catch { return end(key, .notStored(error)) }
        }
        guard executions[key]?.end != nil else { return }
        let rest = Duration.seconds(ActionAttempt.repeatableTime - Date().timeIntervalSince(attempt.created))
        send(.perform(key: key, isInDoubt: execution.isInDoubt, expiry: now + rest))
    }

    /// Ends an execution whose call no longer waits for the outcome.
    func abandon(_ key: String) {
        if machine.actions.contains(where: { $0.key == key }) { return send(.abandon(key: key)) }
        end(key, executions[key]?.isInDoubt == true ? .undecided(.cancelled) : .rejected(.cancelled))
    }

    private func end(_ key: String, _ error: ActionError?) {
        executions[key]?.end?.resume(returning: error)
        executions[key]?.end = nil
    }

    func resolve(_ key: String, _ result: ClientMachine.ActionResult) {
        end(key, error(of: result))
        actionError = nil
    }

    private func error(of result: ClientMachine.ActionResult) -> ActionError? {
        let cause = actionError ?? .unreachable
        switch result {
        case .performed: return nil
        case .rejected(.cancelled): return .rejected(.cancelled)
        case .undecided(.cancelled): return .undecided(.cancelled)
        case .rejected(let failure):
            guard case .problem(let problem) = cause else { return .rejected(cause) }
            // Input of a wrong shape is a 400 that names its fields. Input that breaks a rule is a 422.
            let isInvalid = failure.hasStatus(422) || failure.hasStatus(400) && !problem.fieldErrors.isEmpty
            return isInvalid ? .invalid(problem) : .rejected(cause)
        case .undecided: return .undecided(cause)
        }
    }
}
