/// A language that screens speak, with the region whose formats it uses.
///
/// Which there are, a ``ScreenCatalog`` says; a team adds its own beside the two here.
public struct ScreenLocale: Hashable, Sendable {
    /// The subtag of the language (RFC 5646), as clients name it and `Content-Language` says it: `fr`.
    public let language: String
    /// The subtag of the region whose formats are used: `FR`.
    public let region: String

    public static let english = ScreenLocale(language: "en", region: "US")
    public static let french = ScreenLocale(language: "fr", region: "FR")

    public init(language: String, region: String) {
        self.language = language
        self.region = region
    }

    /// The identifier that formatters take.
    public var identifier: String { "\(language)_\(region)" }

    /// Whether a language tag means it, by its primary language (RFC 4647, basic filtering): `fr-CH` is French.
    public func isMeant(by tag: some StringProtocol) -> Bool {
        isMeant(by: Substring(tag))
    }

    package func isMeant(by tag: Substring) -> Bool {
        // By bytes in memory, as most requests ask.
        var (tag, language) = (tag, language)
        return tag.withUTF8 { tag in
            let end = tag.firstIndex { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") } ?? tag.count
            return language.withUTF8 { language in
                language.count == end && language.indices.allSatisfy { Self.lowercased(tag[$0]) == Self.lowercased(language[$0]) }
            }
        }
    }

    private static func lowercased(_ letter: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
    }
}
