import ScreenService

/// What a client would rather have, as its header fields say (RFC 9110, section 12).
enum Preferences {
    /// The language to answer in: the best of `Accept-Language` that there is. Where there is none, the first
    /// that the field does not name, as what it names then is refused; or the first that there is.
    static func locale(acceptLanguage: String?, of locales: [ScreenLocale]) -> ScreenLocale {
        guard let acceptLanguage else { return locales[0] }
        var best: (locale: ScreenLocale?, weight: Double) = (nil, 0)
        // Once: a field may have thousands of them.
        lazy var other = unnamed(in: acceptLanguage, of: locales)
        for (range, weight) in WeightedList(acceptLanguage) where weight > best.weight {
            // Of equal weights the first counts, as a list without weights means it.
            let locale = range == "*" ? other : locales.first { $0.isMeant(by: range) }
            if let locale { best = (locale, weight) }
            // No weight is greater than 1.
            if best.weight >= 1 { break }
        }
        return best.locale ?? other ?? locales[0]
    }

    /// What `*` means: the first language that no other range does (RFC 4647, section 3.3.1).
    private static func unnamed(in acceptLanguage: String, of locales: [ScreenLocale]) -> ScreenLocale? {
        locales.first { locale in !WeightedList(acceptLanguage).contains { locale.isMeant(by: $0.range) } }
    }

    /// Whether a client takes this media type. The most specific range counts.
    static func accepts(_ type: String, accept: String?) -> Bool {
        guard let accept, !accept.isEmpty, accept != "*/*" else { return true }
        return weight(of: type, in: mediaRanges(accept)) > 0
    }

    /// The weight of a media type: that of the most specific range that it is in, 0 where it is in none.
    private static func weight(of type: String, in ranges: [(range: String, weight: Double)]) -> Double {
        let candidates = [type, type.prefix { $0 != "/" } + "/*", "*/*"]
        return candidates.lazy.compactMap { candidate in ranges.first { $0.range == candidate }?.weight }.first ?? 0
    }

    /// A Boolean value that indicates whether a client names event streams, and accepts them with a greater weight than JSON. One that
    /// accepts both alike gets JSON: a stream never ends, so a client that reads the response to its end would wait for ever.
    static func prefersEventStream(accept: String?) -> Bool {
        guard let accept, accept.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
        let ranges = mediaRanges(accept)
        guard let stream = ranges.first(where: { $0.range == "text/event-stream" })?.weight, stream > 0 else { return false }
        return stream > weight(of: "application/json", in: ranges)
    }

    private static func mediaRanges(_ accept: String) -> [(range: String, weight: Double)] {
        WeightedList(accept).map { ($0.range.lowercased(), $0.weight) }
    }

    /// Whether a client would rather have no answer than that it was done (RFC 7240, section 4.2). Of several the first counts.
    static func wantsMinimalAnswer(prefer: String?) -> Bool {
        prefer.flatMap { value(of: "return", in: $0) }.map { $0 == "minimal" } ?? false
    }

    /// How many seconds a client would wait for something new (RFC 7240, section 4.3), `longestWait`
    /// at most; nil if it does not say so in a way that can be read.
    static func wait(prefer: String?) -> Int? {
        prefer.flatMap { value(of: "wait", in: $0) }?.flatMap(seconds)
    }

    /// The value of a preference, the first where it is said more than once; nil where it is not said, nil within where it
    /// has no value.
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
        return min(Int(digits) ?? longestWait, longestWait)
    }

    private static func unquoted(_ text: Substring) -> Substring {
        text.count >= 2 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
    }

    static let longestWait = 60

    /// Whether a list of entity tags has this one, by weak comparison.
    static func matches(ifNoneMatch: String, tag: String) -> Bool {
        members(of: ifNoneMatch[...], separator: UInt8(ascii: ",")).contains { candidate in
            candidate == tag || candidate == "*" || candidate == "W/\(tag)"
        }
    }

    /// What stands between separators, without the white space around it.
    private static func members(of list: Substring, separator: UInt8) -> [Substring] {
        list.utf8.split(separator: separator).map { trimmed(Substring($0)) }
    }

    /// A text without the white space around it.
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

/// What a header field says that a client takes, each with its weight (RFC 9110, section 12.4.2).
///
/// It splits by bytes, not by characters, and no further than it is read: browsers send several such
/// fields with every request, and mostly the first member decides.
struct WeightedList: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ field: String) {
        rest = field[...].utf8
    }

    /// The next range, as it was written, with its `q`; 1 where there is none.
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
