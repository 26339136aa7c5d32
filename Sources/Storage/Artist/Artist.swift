/// Someone who makes music; the `artist` screen shows one.
public struct Artist: Hashable, Sendable {
    /// Small ASCII letters, digits and hyphens.
    public let id: String
    public var name: String
    public var genre: TranslatedText
    public var biography: TranslatedText

    public init(id: String, name: String, genre: TranslatedText, biography: TranslatedText) {
        self.id = id
        self.name = name
        self.genre = genre
        self.biography = biography
    }
}
