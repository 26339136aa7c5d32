/// Is a language that screens speak, with the region whose formats it uses.
public enum ScreenLocale: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case french = "fr"

    /// What counts when a client states no preference.
    public static let fallback = ScreenLocale.english

    /// The identifier that formatters take: a language and a region.
    public var identifier: String {
        switch self {
        case .english: "en_US"
        case .french: "fr_FR"
        }
    }

    /// The locale for a language tag by its primary language (RFC 4647, basic filtering): `fr-CH` is French.
    public init?(tag: some StringProtocol) {
        let language = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        self.init(rawValue: String(decoding: language, as: UTF8.self).lowercased())
    }
}
