import ScreenModel

// The document of all screens.
extension ScreenCatalog {
    /// The document `{"screens":[…],"locales":[…]}` in a language, in UTF-8.
    public func document(in locale: ScreenLocale) -> [UInt8] {
        var writer = JSONWriter()
        let entries = served.map { Entry(served: $0, locale: locale) }
        Listing(screens: entries, locales: locales.map(\.language)).write(to: &writer)
        return writer.bytes
    }

    private struct Listing: Content {
        let screens: [Entry]
        let locales: [String]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("screens", \.screens)
            field("locales", \.locales)
        }
    }

    private struct Entry: Content {
        let served: ServedScreen
        let locale: ScreenLocale

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.served.name)
            field("title") { $0.served.screen.title(in: $0.locale) }
            field("revisions") { RevisionsEntry(revisions: $0.served.revisions) }
            field("parameters") { $0.served.screen.parameters.map(ParameterEntry.init) }
            field("actions") { entry in entry.served.actions.map { ActionEntry(action: $0, locale: entry.locale) } }
        }
    }

    private struct RevisionsEntry: Content {
        let revisions: ClosedRange<Int>

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("oldest", \.revisions.lowerBound)
            field("newest", \.revisions.upperBound)
        }
    }

    private struct ActionEntry: ContentValue {
        let action: Action
        let locale: ScreenLocale

        func write(to writer: inout JSONWriter) {
            writer.writeObject { action.writeFields(to: &$0, in: locale) }
        }
    }

    private struct ParameterEntry: Content {
        let parameter: any ParameterDeclaring

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.parameter.name)
            field("description", \.parameter.summary)
            field.dynamic { $0.parameter.type.writeFields(to: &$1, in: .query) }
            field("default", \.parameter.defaultText)
        }
    }
}
