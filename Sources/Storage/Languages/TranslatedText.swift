/// A text in each language that screens speak, such as the name of a mountain range.
public struct TranslatedText: Hashable, Sendable {
    public var english: String
    public var french: String

    public init(english: String, french: String) {
        self.english = english
        self.french = french
    }
}
