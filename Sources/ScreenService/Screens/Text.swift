/// A text in each language that the screens speak.
///
///     Text("Name", fr: "Nom")
///
/// A string literal is a text that reads the same in all languages. A team that speaks more languages adds an initializer with
/// an argument for each, so that the compiler finds every text that lacks one:
///
///     extension Text {
///         init(_ text: String, fr: String, de: String) { self.init(text, translations: ["fr": fr, "de": de]) }
///     }
public struct Text: Sendable {
    private let text: String
    // Few: they are found faster than in a dictionary, and cells are rendered with them.
    private let translations: KeyValuePairs<String, String>

    /// - Parameters:
    ///   - text: the text in English, and in each language without a translation.
    ///   - translations: the text in other languages, by the ``ScreenLocale/language`` of each.
    public init(_ text: String, translations: KeyValuePairs<String, String> = [:]) {
        self.text = text
        self.translations = translations
    }

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
