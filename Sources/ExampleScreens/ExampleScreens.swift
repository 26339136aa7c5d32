import ExampleRecords
import Foundation
import ScreenModel
import ScreenService

/// The screens that come with the server. Each is one folder here, which says what it takes to make it.
public enum ExampleScreens {}

/// The header of a section of a table. Its type on the wire is `section`.
struct SectionHeader: ViewContent, Equatable {
    let title: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
    }
}

extension ScreenLocale {
    /// The locale for Foundation's formatters.
    var formatting: Locale { Locale(identifier: identifier) }
}

extension TranslatedText {
    /// Returns the text in the language of a locale.
    func `in`(_ locale: ScreenLocale) -> String {
        Text(english, fr: french).in(locale)
    }
}

/// The texts of the action that restores the data of an example.
enum Restoring {
    static let title = Text("Back to the example data", fr: "Revenir aux données d’exemple")
    static let summary = Text("Brings back the example data.", fr: "Rétablit les données d’exemple.")
}
