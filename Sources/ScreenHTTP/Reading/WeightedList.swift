/// Gives out what a header field says that a client takes, each with its weight (RFC 9110, section 12.4.2).
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
