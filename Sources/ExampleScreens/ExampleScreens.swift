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
    /// Picks the text of the language; English where there is none. A new language is a new argument,
    /// so that the compiler finds every text that lacks it.
    func text(english: String, french: String) -> String {
        language == Self.french.language ? french : english
    }

    /// The locale for Foundation's formatters.
    var formatting: Locale { Locale(identifier: identifier) }
}

/// What all examples say of being some, in one language.
struct ExampleTexts {
    let locale: ScreenLocale

    static let toRestore = "Brings back the example data."

    var restore: String { locale.text(english: "Back to the example data", french: "Revenir aux données d’exemple") }
    var toRestore: String { locale.text(english: Self.toRestore, french: "Rétablit les données d’exemple.") }
}
