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
    let end: CheckedContinuation<ActionError?, Never>
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
        return executing.contains(ExecutionName(name: name, cell: cell))
    }

    /// Returns a Boolean value that indicates whether the cell disables the action.
    func isDisabled(_ name: String, _ cell: String?) -> Bool {
        guard let cell, let place = model.place(of: cell) else { return false }
        return model[place].actions.contains { $0.name == name && $0.isDisabled }
    }

    func execute(_ name: String, _ cell: String?, _ input: JSONValue) async throws(ActionError) {
        let attempt = ActionAttempt(
            key: UUID().uuidString.lowercased(), action: name, cell: cell, input: input, view: view, baseURL: client.exchanges.base,
            created: Date())
        try await execute(attempt, isInDoubt: false)
    }

    /// Repeats an attempt whose outcome is not known. The server performs the action at most once.
    ///
    /// - Throws: ``ActionError``
    public func retry(_ attempt: ActionAttempt) async throws(ActionError) {
        guard attempt.isRepeatable(at: Date()), !client.isExecuting(attempt.key) else { throw .disabled }
        try await execute(attempt, isInDoubt: true)
    }

    /// Removes a stored attempt whose outcome is not known.
    public func discard(_ attempt: ActionAttempt) async {
        guard let user = client.user else { return }
        await client.attempts?.removeAttempt(attempt.key, of: user)
    }

    /// Returns the stored attempts of this screen whose outcome is not known, oldest first. Attempts that can no longer be repeated
    /// safely are left out.
    public func undecided() async -> [ActionAttempt] {
        guard let user = client.user, let store = client.attempts else { return [] }
        let now = Date()
        return await store.attempts(of: user).filter {
            $0.view.screen == name && $0.baseURL == client.exchanges.base && $0.isRepeatable(at: now) && !client.isExecuting($0.key)
        }
    }

    private func execute(_ attempt: ActionAttempt, isInDoubt: Bool) async throws(ActionError) {
        let (name, user) = (ExecutionName(name: attempt.action, cell: attempt.cell), client.user)
        guard executing.insert(name).inserted else { throw .disabled }
        registrar.withMutation(of: self, keyPath: \.connection) {}
        defer {
            executing.remove(name)
            registrar.withMutation(of: self, keyPath: \.connection) {}
        }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { end in
                executions[attempt.key] = Execution(attempt: attempt, end: end)
                storeAndPerform(attempt, of: user, isInDoubt: isInDoubt)
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.abandon(attempt.key) }
        }
        if case .undecided? = error {} else if let user { await client.attempts?.removeAttempt(attempt.key, of: user) }
        if let error { throw error }
    }

    /// Waits until the attempts of earlier calls are stored. Then stores this attempt and performs it.
    private func storeAndPerform(_ attempt: ActionAttempt, of user: String?, isInDoubt: Bool) {
        let earlier = storing
        storing = Task {
            await earlier?.value
            do {
                if let user { try await client.attempts?.store(attempt, of: user) }
            } catch {
                executions.removeValue(forKey: attempt.key)?.end.resume(returning: .notStored(error))
                return
            }
            // The attempt is not performed if it was abandoned while it was being stored.
            guard executions[attempt.key] != nil else { return }
            let rest = Duration.seconds(ActionAttempt.lifetime - 3600 - Date().timeIntervalSince(attempt.created))
            send(.perform(key: attempt.key, isInDoubt: isInDoubt, expiry: now + rest))
        }
    }

    private func abandon(_ key: String) {
        if machine.actions.contains(where: { $0.key == key }) { return send(.abandon(key: key)) }
        executions.removeValue(forKey: key)?.end.resume(returning: .rejected(.cancelled))
    }

    func resolve(_ key: String, _ result: ClientMachine.ActionResult) {
        guard let execution = executions.removeValue(forKey: key) else { return }
        execution.end.resume(returning: error(of: result))
    }

    private func error(of result: ClientMachine.ActionResult) -> ActionError? {
        let cause = actionError ?? .unreachable
        switch result {
        case .performed: return nil
        case .rejected(.cancelled): return .rejected(.cancelled)
        case .undecided(.cancelled): return .undecided(.cancelled)
        case .rejected(let failure):
            if failure.hasStatus(422), case .problem(let problem) = cause { return .invalid(problem) }
            return .rejected(cause)
        case .undecided: return .undecided(cause)
        }
    }
}

/// The name and the cell of an action. Only one execution with the same name and cell is in progress at a time.
struct ExecutionName: Hashable {
    let name: String
    let cell: String?
}
