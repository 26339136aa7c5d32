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
        let whenSelected: Selection

        /// - Parameter action: changes the field.
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

    /// Whether there is a password, and nothing else of it.
    struct PasswordCell: CellContent, Selectable, Equatable {
        let id = "password"
        let label: String
        let isSet: Bool
        /// What `isSet` says, in words.
        let value: String
        let whenSelected = Selection.action(ScreenAction(changePassword))

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
        let whenSelected = Selection.action(ScreenAction(connect))

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

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
        }
    }
}
