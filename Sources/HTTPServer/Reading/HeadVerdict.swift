/// Says what shall happen with a request, judged by its head alone.
///
/// The library's parser is lenient where two parties could read one message differently
/// (RFC 9112, sections 3.2, 5.1 and 6.3); this is where such heads end.
enum HeadVerdict: Equatable {
    /// Read the body, of that many bytes if the head tells.
    case accept(length: Int?)
    /// Read the body to its end without keeping it, then answer.
    case discard(Refusal)
    /// Answer at once and close: what follows on the connection cannot be trusted, or is too much.
    case refuse(Refusal)
}

enum HTTPVersion {
    case http10, http11, other
}

extension HeadVerdict {
    /// Judges a head. A body over the limit is discarded up to twice the limit, and refused
    /// before it is sent if it is longer or if its client waits to be asked for it.
    static func on(_ headers: Headers, version: HTTPVersion, maximumBodyBytes limit: Int) -> HeadVerdict {
        var marks = FramingMarks()
        for field in headers.fields {
            guard headers.hasTokenAsName(field) else { return .refuse(.fieldName) }
            guard headers.hasCleanValue(field) else { return .refuse(.fieldValue) }
            marks.note(field, of: headers)
        }
        if let refusal = marks.refusal(version) { return .refuse(refusal) }
        guard let length = marks.length, length > limit else { return .accept(length: marks.length) }
        let tooLarge = Refusal.bodyTooLarge(limit: limit)
        return marks.expectsContinue || length / 2 > limit ? .refuse(tooLarge) : .discard(tooLarge)
    }
}

/// Collects what decides where a message ends and whom it is for.
private struct FramingMarks {
    var hosts = 0
    var lengths = 0
    var length: Int?
    var codings = 0
    var isChunked = false
    var expectsContinue = false

    mutating func note(_ field: Headers.Field, of headers: Headers) {
        // Most fields end here: no name of interest has another length.
        switch field.valueStart - 1 - field.start {
        case 4 where headers.names(field, "host"):
            hosts += 1
        case 6 where headers.names(field, "expect"):
            expectsContinue = true
        case 14 where headers.names(field, "content-length"):
            lengths += 1
            // The library has refused what is no number; what overflows is too large.
            length = Int(headers.value(field)) ?? .max
        case 17 where headers.names(field, "transfer-encoding"):
            codings += 1
            isChunked = headers.value(field).utf8.elementsEqual("chunked".utf8) { $0.lowercased == $1 }
        default:
            break
        }
    }

    func refusal(_ version: HTTPVersion) -> Refusal? {
        if version == .other { return .version }
        if hosts > 1 || (hosts == 0 && version == .http11) { return .host(count: hosts) }
        if lengths > 1 { return .length(count: lengths) }
        if codings == 0 { return nil }
        if version == .http10 { return .transferCodingInHTTP10 }
        if lengths > 0 { return .lengthWithTransferCoding }
        return codings == 1 && isChunked ? nil : .transferCoding
    }
}

extension Headers {
    fileprivate func hasTokenAsName(_ field: Field) -> Bool {
        let end = field.valueStart - 1
        guard field.start < end else { return false }
        for at in field.start..<end where !bytes[at].isTokenCharacter { return false }
        return true
    }

    fileprivate func hasCleanValue(_ field: Field) -> Bool {
        for at in field.valueStart..<field.end {
            let byte = bytes[at]
            if byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F { return false }
        }
        return true
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2, as two words of bits.
    fileprivate var isTokenCharacter: Bool {
        let low: UInt64 = 0x03FF_6CFA_0000_0000
        let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
        switch self {
        case 0..<64: return low >> UInt64(self) & 1 == 1
        case 64..<128: return high >> UInt64(self - 64) & 1 == 1
        default: return false
        }
    }
}
