import Observation
import ScreenClient

/// Performs the actions of a screen, and lists the actions whose outcome is not known.
@MainActor @Observable
public final class ScreenActions {
    /// The attempts of actions whose outcome is not known. The outcome is not known if, for example, an earlier process of the app sent the
    /// request and ended before the response arrived. The user can send an attempt again if it is repeatable, or discard it.
    public private(set) var undecided: [ActionAttempt] = []
    private let screen: LiveScreen

    init(_ screen: LiveScreen) {
        self.screen = screen
    }

    func findUndecided() async {
        undecided = await screen.undecided()
    }

    /// Performs an action, and returns the error if the action failed.
    func perform(_ action: () async throws(ActionError) -> Void) async -> ActionError? {
        var failure: ActionError?
        do throws(ActionError) { try await action() } catch { failure = error }
        await findUndecided()
        return failure
    }

    /// Repeats an action whose outcome is not known. The server performs the action at most once.
    func sendAgain(_ attempt: ActionAttempt) async -> ActionError? {
        await perform { () throws(ActionError) in try await screen.retry(attempt) }
    }

    /// Removes the attempt of an action whose outcome is not known.
    func discard(_ attempt: ActionAttempt) async {
        await screen.discard(attempt)
        await findUndecided()
    }
}
