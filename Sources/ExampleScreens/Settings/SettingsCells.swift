import ScreenModel

// The types of their views on the wire are `section`, `invitation`, `field`, `password`, `connect`.
extension Settings {
    /// Stands above a section.
    struct SectionHeader: ViewContent {
        let title: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("title", title)
        }
    }

    /// Invites to connect an account.
    struct InvitationFooter: ViewContent {
        let text: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("text", text)
        }
    }

    /// Shows a text that the user has given, or a placeholder while it is empty.
    struct FieldCell: CellContent {
        let id: String
        let label: String
        let value: String
        let placeholder: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("label", label)
            content.field("value", value)
            content.field("placeholder", placeholder)
        }
    }

    /// Shows whether there is a password, and nothing else of it.
    struct PasswordCell: CellContent {
        let id = "password"
        let label: String
        let isSet: Bool
        /// Says in words what `isSet` says.
        let value: String

        init(isSet: Bool, _ texts: SettingsTexts) {
            self.isSet = isSet
            label = texts.password
            value = isSet ? texts.set : texts.notSet
        }

        func writeFields(to content: inout some ContentWriter) {
            content.field("label", label)
            content.field("value", value)
            content.field("isSet", isSet)
        }
    }

    /// Offers to connect an account.
    struct ConnectCell: CellContent {
        let id = "connect"
        let label: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("label", label)
        }
    }
}
