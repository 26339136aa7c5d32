import ScreenService

/// Functions that read the preferences of a client from header fields (RFC 9110, section 12).
enum Preferences {
    /// Returns the available language that `Accept-Language` prefers. If the field accepts none of the available languages, returns the
    /// first available language that the field does not name. If the field names all of them, returns the default language, which is the
    /// first.
    static func locale(acceptLanguage: String?, of locales: [ScreenLocale]) -> ScreenLocale {
        guard let acceptLanguage else { return locales[0] }
        var best: (locale: ScreenLocale?, weight: Double) = (nil, 0)
        // The language for `*` is searched for at most once, even if `Accept-Language` has thousands of `*`.
        lazy var other = unnamed(in: acceptLanguage, of: locales)
        for (range, weight) in WeightedList(acceptLanguage) where weight > best.weight {
            // Among ranges of equal weight, the first range wins.
            let locale = range == "*" ? other : locales.first { $0.matches(range) }
            if let locale { best = (locale, weight) }
            // No weight is greater than 1.
            if best.weight >= 1 { break }
        }
        return best.locale ?? other ?? locales[0]
    }

    /// Returns the language that `*` selects: the first language that matches no other range (RFC 4647, section 3.3.1).
    private static func unnamed(in acceptLanguage: String, of locales: [ScreenLocale]) -> ScreenLocale? {
        locales.first { locale in !WeightedList(acceptLanguage).contains { locale.matches($0.range) } }
    }

    /// Returns a Boolean value that indicates whether a client accepts a media type. The most specific range that matches the type decides.
    static func accepts(_ type: String, accept: String?) -> Bool {
        guard let accept, !accept.isEmpty, accept != "*/*" else { return true }
        return weight(of: type, in: mediaRanges(accept)) > 0
    }

    /// Returns the weight of the most specific range that matches a media type, or 0 if no range matches.
    private static func weight(of type: String, in ranges: [(range: String, weight: Double)]) -> Double {
        let candidates = [type, type.prefix { $0 != "/" } + "/*", "*/*"]
        return candidates.lazy.compactMap { candidate in ranges.first { $0.range == candidate }?.weight }.first ?? 0
    }

    /// Returns a Boolean value that indicates whether `Accept` names event streams with a greater weight than JSON. With equal weights, the
    /// response is JSON, because some clients wait for the end of a response, and a stream never ends.
    static func prefersEventStream(accept: String?) -> Bool {
        guard let accept, accept.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
        let ranges = mediaRanges(accept)
        guard let stream = ranges.first(where: { $0.range == "text/event-stream" })?.weight, stream > 0 else { return false }
        return stream > weight(of: "application/json", in: ranges)
    }

    private static func mediaRanges(_ accept: String) -> [(range: String, weight: Double)] {
        WeightedList(accept).map { ($0.range.lowercased(), $0.weight) }
    }

    /// Returns a Boolean value that indicates whether a client prefers a response without a document (RFC 7240, section 4.2).
    static func prefersMinimalResponse(prefer: String?) -> Bool {
        prefer.flatMap { value(of: "return", in: $0) }.map { $0 == "minimal" } ?? false
    }

    /// Returns the seconds that a client wants to wait for changes (RFC 7240, section 4.3), at most ``maximumWait``; nil if the response
    /// must not wait for changes.
    static func wait(prefer: String?) -> Int? {
        prefer.flatMap { value(of: "wait", in: $0) }?.flatMap(seconds)
    }

    /// Returns the value of the first preference with this name. The inner optional is nil if the preference has no value.
    private static func value(of name: String, in prefer: String) -> Substring?? {
        for preference in members(of: prefer[...], separator: UInt8(ascii: ",")) {
            let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard trimmed(parts[0]).lowercased() == name else { continue }
            return .some(parts.count == 2 ? unquoted(trimmed(parts[1])) : nil)
        }
        return nil
    }

    private static func seconds(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return min(Int(digits) ?? maximumWait, maximumWait)
    }

    private static func unquoted(_ text: Substring) -> Substring {
        text.count >= 2 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
    }

    /// The maximum number of seconds that a request waits for changes.
    static let maximumWait = 60

    /// Returns a Boolean value that indicates whether `If-None-Match` matches an entity tag. It matches if it contains the tag, the weak
    /// form of the tag, or `*`.
    static func matches(ifNoneMatch: String, tag: String) -> Bool {
        members(of: ifNoneMatch[...], separator: UInt8(ascii: ",")).contains { candidate in
            candidate == tag || candidate == "*" || candidate == "W/\(tag)"
        }
    }

    private static func members(of list: Substring, separator: UInt8) -> [Substring] {
        list.utf8.split(separator: separator).map { trimmed(Substring($0)) }
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.utf8
        while let byte = text.first, isSpace(byte) { text.removeFirst() }
        while let byte = text.last, isSpace(byte) { text.removeLast() }
        return Substring(text)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

/// The ranges of a header field such as `Accept`, each with its weight (RFC 9110, section 12.4.2).
///
/// The field is read lazily, because usually the first range decides. The field is split by bytes, because splitting it by characters is
/// slower, and browsers send several such fields with every request.
struct WeightedList: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ field: String) {
        rest = field[...].utf8
    }

    /// Returns the next range as it is written in the header field, and its weight. The weight is the value of `q`, or 1 if there is no
    /// `q`.
    mutating func next() -> (range: Substring, weight: Double)? {
        while !rest.isEmpty {
            let member = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[member.endIndex...].dropFirst()
            let range = member.prefix { $0 != UInt8(ascii: ";") }
            let text = Preferences.trimmed(Substring(range))
            if !text.isEmpty { return (text, Self.weight(in: member[range.endIndex...])) }
        }
        return nil
    }

    private static func weight(in parameters: Substring.UTF8View) -> Double {
        if parameters.isEmpty { return 1 }
        let texts = parameters.split(separator: UInt8(ascii: ";")).lazy.map { Preferences.trimmed(Substring($0)) }
        return texts.first { $0.lowercased().hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
    }
}
