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

    init(screen: LiveScreen) {
        self.screen = screen
        renaming = screen.action("rename")
    }

    public var title: String { screen.model.title ?? "" }
    public var banner: Banner? { screen.banner }
    public var fields: [FieldCell] {
        screen.model.sections.flatMap(\.cells).compactMap { $0.value(as: FieldCell.self) }
    }
    public var canRename: Bool { renaming.isEnabled }

    public func follow() async {
        await screen.follow()
    }

    public func rename(firstName: String) async {
        (errors, alert) = ([:], nil)
        do throws(ActionError) {
            try await renaming(["firstName": .string(firstName)])
        } catch {
            errors = error.fieldErrors ?? [:]
            alert = error.alert
        }
    }
}

/// A cell with a text that the user can change, such as the first name.
public struct FieldCell: Decodable, Hashable, Sendable, Identifiable {
    public let id: String
    public let label: String
    public let value: String
    public let placeholder: String
}
