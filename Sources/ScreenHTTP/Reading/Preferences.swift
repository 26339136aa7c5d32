import ScreenService

/// Reads header fields by which a client says what it would rather have (RFC 9110, section 12).
enum Preferences {
    /// The language to answer in: the best of `Accept-Language` that there is.
    static func locale(acceptLanguage: String?) -> ScreenLocale {
        guard let acceptLanguage else { return .fallback }
        var best: (locale: ScreenLocale, weight: Double) = (.fallback, 0)
        for (range, weight) in weighted(acceptLanguage) where weight > best.weight {
            // Of equal weights the first counts, as a list without weights means it.
            if let locale = range == "*" ? .fallback : ScreenLocale(tag: range) { best = (locale, weight) }
        }
        return best.locale
    }

    /// Whether a client takes this media type. The most specific range counts.
    static func accepts(_ type: String, accept: String?) -> Bool {
        guard let accept, !accept.isEmpty else { return true }
        let ranges = weighted(accept)
        let candidates = [type, type.prefix { $0 != "/" } + "/*", "*/*"]
        for candidate in candidates {
            if let range = ranges.first(where: { $0.range == candidate }) { return range.weight > 0 }
        }
        return false
    }

    /// Whether a list of entity tags has this one, by weak comparison.
    static func matches(ifNoneMatch: String, tag: String) -> Bool {
        ifNoneMatch.split(separator: ",").contains { candidate in
            let candidate = trimmed(candidate)
            return candidate == "*" || candidate == tag || candidate == "W/\(tag)"
        }
    }

    /// The members of a list with their `q`, in order; 1 where there is none.
    private static func weighted(_ list: String) -> [(range: String, weight: Double)] {
        list.split(separator: ",").map { member in
            let parts = member.split(separator: ";").map(trimmed)
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return ((parts.first ?? "").lowercased(), weight ?? 1)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
