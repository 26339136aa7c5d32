import ScreenModel

extension ScreenCatalog {
    /// Returns the JSON document that lists the screens and actions of `offering`, with texts in the language of `locale`. If `offering` is
    /// `nil`, the document lists all screens and actions.
    func document(
        in locale: ScreenLocale, of offering: Offering? = nil, values: [String: [String: [ParameterValue]]] = [:]
    ) -> [UInt8] {
        var writer = JSONWriter()
        let entries = offered(offering).map { Entry(served: $0, actions: $1, locale: locale, values: values[$0.name] ?? [:]) }
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
        let actions: [Action]
        let locale: ScreenLocale
        let values: [String: [ParameterValue]]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.served.name)
            field("title") { $0.served.screen.title.in($0.locale) }
            field("revisions") { RevisionsEntry(revisions: $0.served.revisions) }
            field("parameters") { entry in
                entry.served.screen.parameters.map {
                    ParameterEntry(parameter: $0, locale: entry.locale, values: entry.values[$0.name])
                }
            }
            field("actions") { entry in entry.actions.map { ActionEntry(action: $0, locale: entry.locale) } }
            field("example") { entry in entry.served.example.map { ExampleEntry(example: $0, screen: entry.served) } }
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
        let locale: ScreenLocale
        let values: [ParameterValue]?

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.parameter.name)
            field("title") { $0.parameter.title?.in($0.locale) }
            field("description") { $0.parameter.summary.in($0.locale) }
            field.dynamic { $0.parameter.type.writeFields(to: &$1, in: .query) }
            field("format", \.parameter.format)
            field("titles") { entry in
                entry.parameter.titles.isEmpty ? nil : entry.parameter.titles.map { $0.in(entry.locale) }
            }
            field("values", \.values)
            field("default", \.parameter.defaultText)
        }
    }

    private struct ExampleEntry: Content {
        let example: ScreenExample
        let screen: ServedScreen

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("source") { $0.screen.source == nil ? nil : "/screens/\($0.screen.name)/source" }
            field("restore", \.example.restoration)
        }
    }
}
