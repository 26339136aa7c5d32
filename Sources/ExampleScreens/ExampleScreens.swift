import ExampleRecords
import Foundation
import ScreenModel
import ScreenService

/// The screens of `relist serve`. In the folder of each screen, an extension of this type declares a function that creates the screen.
public enum ExampleScreens {}

/// The header of a section in a table. Its type on the wire is `section`.
struct SectionHeader: ViewContent, Equatable {
    let title: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
    }
}

extension ScreenLocale {
    /// The locale as a value for the formatters of Foundation.
    var formatting: Locale { Locale(identifier: identifier) }
}

extension TranslatedText {
    func `in`(_ locale: ScreenLocale) -> String {
        Text(english, fr: french).in(locale)
    }
}

/// The texts of the actions that restore example data.
enum Restoring {
    static let title = Text("Back to the example data", fr: "Revenir aux données d’exemple")
    static let summary = Text("Brings back the example data.", fr: "Rétablit les données d’exemple.")
}

extension BrokenRules {
    init<Value>(_ field: Field<Value>, _ detail: Text, in locale: ScreenLocale) {
        self.init([BrokenRule(field: field.name, detail.in(locale))])
    }
}

extension ScreenError {
    /// Returns the error for a parameter value that does not exist. The error lists the existing values if there are one to ten.
    static func unknownValue(
        of parameter: Parameter<String>, _ detail: Text, existing: [String], in locale: ScreenLocale
    ) -> ScreenError {
        let list = existing.joined(separator: ", ")
        let hint: Text = (1...10).contains(existing.count) ? Text(" Known are \(list).", fr: " On connaît \(list).") : ""
        return .noSuchValue(parameter: parameter.name, detail: detail.in(locale) + hint.in(locale))
    }
}
