import ScreenModel
import ScreenService

// The types of their views on the wire are `section`, `invitation`, `field`, `password`, `connect`,
// `connected`.
extension Settings {
    /// The invitation to connect an account.
    struct InvitationFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// A text of the user that can be edited, or a placeholder while it is empty.
    struct FieldCell: CellContent, Selectable, Equatable {
        let id: String
        let label: String
        let value: String
        let placeholder: String
        /// The action that changes it.
        let action: String
        /// The field of that action's input that takes the text.
        let field: String

        var whenSelected: Selection { .action(ScreenAction(action, input: [field: .string(value)])) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("placeholder", \.placeholder)
        }
    }

    /// Whether there is a password, and nothing else of it.
    struct PasswordCell: CellContent, Selectable, Equatable {
        let id = "password"
        let label: String
        let isSet: Bool
        /// What `isSet` says, in words.
        let value: String

        init(isSet: Bool, _ texts: SettingsTexts) {
            self.isSet = isSet
            label = texts.password
            value = isSet ? texts.set : texts.notSet
        }

        var whenSelected: Selection { .action(ScreenAction(ActionName.changePassword)) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("isSet", \.isSet)
        }
    }

    /// The offer to connect an account.
    struct ConnectCell: CellContent, Selectable, Equatable {
        let id = "connect"
        let label: String

        var whenSelected: Selection { .action(ScreenAction(ActionName.connect)) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
        }
    }

    /// The account that is connected, with the offer to disconnect it.
    struct ConnectedCell: CellContent, Equatable {
        let id = "connected"
        let label: String
        let value: String
        let actions: [OfferedAction]

        init(_ texts: SettingsTexts) {
            label = texts.connection
            value = texts.connected
            actions = [OfferedAction(ActionName.disconnect, title: texts.disconnect)]
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
        }
    }
}
