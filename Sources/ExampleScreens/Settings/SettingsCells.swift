import ScreenModel
import ScreenService

// These views have the types `section`, `invitation`, `field`, `password`, `connect` and `connected` on the wire.
extension Settings {
    /// A footer that invites the user to connect an account.
    struct InvitationFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// A cell with an editable text. An empty text shows a placeholder.
    struct FieldCell: CellContent, Selectable, Equatable {
        let id: String
        let label: String
        let value: String
        let placeholder: String
        let whenSelected: Selection

        /// Creates a cell with the value of a field, which `action` changes.
        init(_ field: Field<String>, _ value: String, _ placeholder: Text, _ action: Action, in locale: ScreenLocale) {
            (id, label, self.value) = (field.name, field.title.in(locale), value)
            self.placeholder = placeholder.in(locale)
            whenSelected = .action(ScreenAction(action, input: [field.name: .string(value)]))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("placeholder", \.placeholder)
        }
    }

    /// A cell that shows only whether a password is set.
    struct PasswordCell: CellContent, Selectable, Equatable {
        let id = "password"
        let label: String
        let isSet: Bool
        let value: String
        let whenSelected = Selection.action(ScreenAction(changePassword))

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("isSet", \.isSet)
        }
    }

    /// A button that connects an account.
    struct ConnectCell: CellContent, Selectable, Equatable {
        let id = "connect"
        let label: String
        let whenSelected = Selection.action(ScreenAction(connect))

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
        }
    }

    /// A cell that shows the connected account, with an action that disconnects it.
    struct ConnectedCell: CellContent, Equatable {
        let id = "connected"
        let label: String
        let value: String
        let actions: [OfferedAction]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
        }
    }
}
