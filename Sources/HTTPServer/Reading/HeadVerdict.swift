/// The decision about a request, made from its head.
///
/// The parser of libmicrohttpd accepts messages that two parties could read differently (RFC 9112, sections 3.2, 5.1 and 6.3). Such heads
/// are rejected here.
enum HeadVerdict: Equatable {
    /// Accept a request with a body of `length` bytes. If `expectsContinue` is true, the client may wait for a 100 response.
    case accept(length: Int, expectsContinue: Bool)
    /// Receive and discard the whole body before responding.
    case discard(Refusal)
    /// Respond immediately and close the connection, because the bytes after the head cannot be trusted or are too many.
    case refuse(Refusal)
}

enum HTTPVersion {
    case http10, http11
}

extension HeadVerdict {
    /// Returns the decision about a head whose bytes ``RawHead`` has accepted.
    ///
    /// If a body is longer than the limit, the body is received and discarded before the response. But if the body is longer than twice the
    /// limit, or if the client waits for a 100 response, the request is refused immediately.
    static func on(_ headers: Headers, version: HTTPVersion, maximumBodyBytes limit: Int) -> HeadVerdict {
        var marks = FramingMarks()
        for field in headers.fields { marks.note(field, of: headers) }
        if let refusal = marks.refusal(version) { return .refuse(refusal) }
        let length = marks.length ?? 0
        // `Expect: 100-continue` in an HTTP/1.0 request is ignored (RFC 9110, section 10.1.1).
        guard length > limit else { return .accept(length: length, expectsContinue: marks.expectsContinue && version == .http11) }
        let tooLarge = Refusal.bodyTooLarge(limit: limit)
        return marks.expectsContinue || length - limit > limit ? .refuse(tooLarge) : .discard(tooLarge)
    }
}

/// The fields that determine the host and the end of a message.
private struct FramingMarks {
    var hosts = 0
    var namesHost = true
    var lengths = 0
    var length: Int?
    var codingFields = 0
    var transferCodings: [Substring] = []
    var expectsContinue = false
    var expectsMore = false

    mutating func note(_ field: Headers.Field, of headers: Headers) {
        // Most fields are skipped without a comparison of names, because no relevant name has the same length.
        switch field.valueStart - 1 - field.start {
        case 4 where headers.names(field, "host"):
            hosts += 1
            namesHost = headers.hasValue(field, HostField.isValid)
        case 6 where headers.names(field, "expect"):
            note(expectation: headers.value(field))
        case 14 where headers.names(field, "content-length"):
            lengths += 1
            // libmicrohttpd has rejected texts that are not numbers, so the conversion fails only for numbers above `Int.max`.
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
            // If a client expects a 100 response but sends no body, libmicrohttpd would report an empty body when the next bytes
            // arrive, and the request would be answered twice.
            return expectsContinue && version == .http11 && (length ?? 0) == 0 ? .expectationWithoutBody : nil
        }
        if version == .http10 { return .transferCodingInHTTP10 }
        if lengths > 0 { return .lengthWithTransferCoding }
        return Self.refusal(of: transferCodings)
    }

    /// Returns the reason to reject a body with these transfer codings (RFC 9112, section 6.1).
    private static func refusal(of codings: [Substring]) -> Refusal {
        let names = codings.map { $0.prefix { $0 != ";" }.withoutBlanks }
        guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenCharacter) }) else { return .transferCoding }
        // The names are tokens, so `lowercased()` changes only ASCII letters.
        if names.contains(where: { $0.lowercased() != "chunked" }) { return .unknownTransferCoding }
        return codings.count == 1 && names == codings ? .chunked : .transferCoding
    }
}

extension Substring {
    fileprivate var withoutBlanks: Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
