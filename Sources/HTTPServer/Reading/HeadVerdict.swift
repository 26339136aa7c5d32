/// What shall happen with a request, judged by its head alone.
///
/// The library's parser is lenient where two parties could read one message differently
/// (RFC 9112, sections 3.2, 5.1 and 6.3); this is where such heads end.
enum HeadVerdict: Equatable {
    /// Take the request, whose body has that many bytes. Its client may wait to be asked for them.
    case accept(length: Int, expectsContinue: Bool)
    /// Read the body to its end without keeping it, then answer.
    case discard(Refusal)
    /// Answer at once and close: what follows on the connection cannot be trusted, or is too much.
    case refuse(Refusal)
}

enum HTTPVersion {
    case http10, http11
}

extension HeadVerdict {
    /// Judges a head whose bytes ``RawHead`` has accepted. A body over the limit is discarded up to twice the
    /// limit, and refused before it is sent if it is longer or if its client waits to be asked for it.
    static func on(_ headers: Headers, version: HTTPVersion, maximumBodyBytes limit: Int) -> HeadVerdict {
        var marks = FramingMarks()
        for field in headers.fields { marks.note(field, of: headers) }
        if let refusal = marks.refusal(version) { return .refuse(refusal) }
        let length = marks.length ?? 0
        // HTTP/1.0 has no such expectation (RFC 9110, section 10.1.1).
        guard length > limit else { return .accept(length: length, expectsContinue: marks.expectsContinue && version == .http11) }
        let tooLarge = Refusal.bodyTooLarge(limit: limit)
        return marks.expectsContinue || length - limit > limit ? .refuse(tooLarge) : .discard(tooLarge)
    }
}

/// The fields that decide where a message ends and whom it is for.
private struct FramingMarks {
    var hosts = 0
    var namesHost = true
    var lengths = 0
    var length: Int?
    /// The number of fields that name transfer codings.
    var codingFields = 0
    /// The members of these fields together.
    var transferCodings: [Substring] = []
    var expectsContinue = false
    var expectsMore = false

    mutating func note(_ field: Headers.Field, of headers: Headers) {
        // Most fields end here: no name of interest has another length.
        switch field.valueStart - 1 - field.start {
        case 4 where headers.names(field, "host"):
            hosts += 1
            namesHost = headers.hasValue(field, HostField.isValid)
        case 6 where headers.names(field, "expect"):
            note(expectation: headers.value(field))
        case 14 where headers.names(field, "content-length"):
            lengths += 1
            // The library has refused what is no number; what overflows is too large.
            length = Int(headers.value(field)) ?? .max
        case 17 where headers.names(field, "transfer-encoding"):
            codingFields += 1
            transferCodings += headers.value(field).split(separator: ",").map(\.withoutBlanks).filter { !$0.isEmpty }
        default:
            break
        }
    }

    private mutating func note(expectation: String) {
        for member in expectation.lowercased().split(whereSeparator: { ", \t".contains($0) }) {
            if member == "100-continue" { expectsContinue = true } else { expectsMore = true }
        }
    }

    func refusal(_ version: HTTPVersion) -> Refusal? {
        if hosts > 1 || (hosts == 0 && version == .http11) { return .host(count: hosts) }
        if !namesHost { return .hostName }
        if lengths > 1 { return .length(count: lengths) }
        if expectsMore { return .expectation }
        if codingFields == 0 {
            // The library would take what follows for a body of no bytes, and have the request answered twice.
            return expectsContinue && version == .http11 && (length ?? 0) == 0 ? .expectationWithoutBody : nil
        }
        if version == .http10 { return .transferCodingInHTTP10 }
        if lengths > 0 { return .lengthWithTransferCoding }
        return Self.refusal(of: transferCodings)
    }

    /// The refusal of a body in these transfer codings (RFC 9112, section 6.1).
    private static func refusal(of codings: [Substring]) -> Refusal {
        let names = codings.map { $0.prefix { $0 != ";" }.withoutBlanks }
        guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenCharacter) }) else { return .transferCoding }
        // These are tokens, so letters are those of ASCII.
        if names.contains(where: { $0.lowercased() != "chunked" }) { return .unknownTransferCoding }
        return codings.count == 1 && names == codings ? .chunked : .transferCoding
    }
}

extension Substring {
    /// The text without the blanks at its ends.
    fileprivate var withoutBlanks: Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
