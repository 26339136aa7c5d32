/// A mountain of the world; the `mountains` screen finds it by its name.
public struct Mountain: Hashable, Sendable {
    /// Small ASCII letters, digits and hyphens: `pic-du-midi-d-ossau`.
    public let id: String
    /// As the people write it who live there, in Latin letters.
    public var name: String
    /// Of its highest summit above the sea.
    public var metres: Int
    /// Nil where it belongs to none that is widely known.
    public var range: TranslatedText?
    /// The codes of the countries that share its highest summit (ISO 3166-1, two letters).
    public var countries: [String]

    public init(id: String, name: String, metres: Int, range: TranslatedText?, countries: [String]) {
        self.id = id
        self.name = name
        self.metres = metres
        self.range = range
        self.countries = countries
    }
}
