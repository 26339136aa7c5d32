/// The language of the texts of a screen, and the region that determines the formats of dates and numbers. English and French are
/// predefined.
public struct ScreenLocale: Hashable, Sendable {
    /// The language subtag (RFC 5646), such as `fr`. It is sent as `Content-Language`.
    public let language: String
    /// The region subtag, such as `FR`.
    public let region: String

    /// English, with the formats of the United States.
    public static let english = ScreenLocale(language: "en", region: "US")
    /// French, with the formats of France.
    public static let french = ScreenLocale(language: "fr", region: "FR")

    public init(language: String, region: String) {
        self.language = language
        self.region = region
    }

    /// The identifier for formatters, such as `fr_FR`.
    public var identifier: String { "\(language)_\(region)" }

    /// Returns a Boolean value that indicates whether this language is the primary language of a tag such as `fr-CH` (RFC 4647, basic
    /// filtering).
    public func matches(_ tag: some StringProtocol) -> Bool {
        matches(Substring(tag))
    }

    package func matches(_ tag: Substring) -> Bool {
        // Most requests need this comparison, so it must not allocate memory.
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
