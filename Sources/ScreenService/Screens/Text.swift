/// A text with its translations.
///
///     Text("Name", fr: "Nom")
///
/// A text from a string literal is shown unchanged in all languages. For more languages than English and French, declare an initializer
/// with a parameter for each language:
///
///     extension Text {
///         init(_ text: String, fr: String, de: String) { self.init(text, translations: ["fr": fr, "de": de]) }
///     }
public struct Text: Sendable {
    private let text: String
    // Rendering searches the translations for each cell. There are only a few, so a linear search is faster than a dictionary.
    private let translations: KeyValuePairs<String, String>

    /// Creates a text with translations.
    ///
    /// - Parameters:
    ///   - text: The text in English and in all languages without a translation.
    ///   - translations: The text in other languages, by ``ScreenLocale/language``.
    public init(_ text: String, translations: KeyValuePairs<String, String> = [:]) {
        self.text = text
        self.translations = translations
    }

    /// Creates a text with a French translation.
    public init(_ text: String, fr: String) {
        self.init(text, translations: ["fr": fr])
    }

    /// Returns the text in the language of a locale.
    public func `in`(_ locale: ScreenLocale) -> String {
        for (language, translation) in translations where language == locale.language { return translation }
        return text
    }
}

extension Text: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
