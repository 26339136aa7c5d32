import Observation
import ScreenClient

/// The view model of the settings.
@MainActor @Observable
public final class SettingsModel {
    let screen: LiveScreen
    /// The errors of the last change, by the name of the field.
    public private(set) var errors: [String: [String]] = [:]
    /// The text of the alert to show, or `nil`.
    public var alert: String?
    private let renaming: LiveAction
    private let actions: ScreenActions

    init(screen: LiveScreen) {
        self.screen = screen
        actions = ScreenActions(screen)
        renaming = screen.action("rename")
    }

    public var title: String { screen.model.title ?? "" }
    public var banner: Banner? { screen.banner }
    public var fields: [FieldCell] {
        screen.model.sections.flatMap(\.cells).compactMap { $0.value(as: FieldCell.self) }
    }
    public var canRename: Bool { renaming.isEnabled }
    /// The attempts of actions whose outcome is not known.
    public var undecided: [ActionAttempt] { actions.undecided }

    public func follow() async {
        await actions.findUndecided()
        await screen.follow()
    }

    public func rename(firstName: String) async {
        show(await actions.perform { () throws(ActionError) in try await renaming(["firstName": .string(firstName)]) })
    }

    /// Repeats a change whose outcome is not known.
    public func sendAgain(_ attempt: ActionAttempt) async {
        show(await actions.sendAgain(attempt))
    }

    public func discard(_ attempt: ActionAttempt) async {
        await actions.discard(attempt)
    }

    private func show(_ error: ActionError?) {
        errors = error?.fieldErrors ?? [:]
        alert = error?.alert
    }
}

/// A cell with a text that the user can change, such as the first name.
public struct FieldCell: Decodable, Hashable, Sendable, Identifiable {
    public let id: String
    public let label: String
    public let value: String
    public let placeholder: String
}
