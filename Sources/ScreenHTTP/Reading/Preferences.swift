import ScreenService

/// Reads header fields by which a client says what it would rather have (RFC 9110, section 12).
///
/// It splits them by bytes, not by characters: browsers send several with every request.
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
        guard let accept, !accept.isEmpty, accept != "*/*" else { return true }
        let ranges = weighted(accept)
        let candidates = [type, type.prefix { $0 != "/" } + "/*", "*/*"]
        for candidate in candidates {
            if let range = ranges.first(where: { $0.range == candidate }) { return range.weight > 0 }
        }
        return false
    }

    /// Whether a list of entity tags has this one, by weak comparison.
    static func matches(ifNoneMatch: String, tag: String) -> Bool {
        members(of: ifNoneMatch[...], separator: UInt8(ascii: ",")).contains { candidate in
            candidate == tag || candidate == "*" || candidate == "W/\(tag)"
        }
    }

    /// The members of a list with their `q`, in order; 1 where there is none.
    private static func weighted(_ list: String) -> [(range: String, weight: Double)] {
        members(of: list[...], separator: UInt8(ascii: ",")).map { member in
            let parts = members(of: member, separator: UInt8(ascii: ";"))
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return ((parts.first ?? "").lowercased(), weight ?? 1)
        }
    }

    /// What stands between separators, without the white space around it.
    private static func members(of list: Substring, separator: UInt8) -> [Substring] {
        list.utf8.split(separator: separator).map { member in
            var member = member
            while let byte = member.first, isSpace(byte) { member.removeFirst() }
            while let byte = member.last, isSpace(byte) { member.removeLast() }
            return Substring(member)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
