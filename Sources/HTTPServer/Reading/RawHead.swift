/// The judgement of a head's bytes, which show what the values that the library makes of them do not: folded fields,
/// zero bytes, lines that a line feed alone ends, fields without a name (RFC 9112, sections 2.2, 3 and 5).
///
/// The library has written zeros over what separates: one over the blank on each side of the target and over
/// the colon of a field, two over the end of a line. A client can send zeros itself, so what the library has
/// counted otherwise, the length of the target and the number of fields, must agree. What came before the method is
/// not judged: empty lines, and those that begin with a zero byte, which the library passes over alike.
enum RawHead {
    /// - Parameters:
    ///   - version: where the version begins, whose name has eight bytes.
    ///   - fieldCount: how many fields the library has found.
    static func refusal(
        of head: Span<UInt8>, target: Span<UInt8>, version: Int, fieldCount: Int
    ) -> Refusal? {
        guard isRequestLine(head, target, version) else { return .requestLine }
        var at = version + 8
        guard skipLineEnd(head, &at) else { return .lineEnd }
        var count = 0
        while !isLastLine(head, at) {
            if let refusal = skipField(head, &at) { return refusal }
            count += 1
        }
        return count == fieldCount ? nil : .lineEnd
    }

    private static func isRequestLine(_ head: Span<UInt8>, _ target: Span<UInt8>, _ version: Int) -> Bool {
        let method = head.end(from: 0) { $0.isTokenCharacter }
        guard method > 0, !target.isEmpty, method + 1 + target.count + 1 == version, version < head.count else { return false }
        return head[method] == 0 && head[version - 1] == 0
            && target.end(from: 0) { $0 > 0x20 && $0 != 0x7F } == target.count
    }

    private static func isLastLine(_ head: Span<UInt8>, _ at: Int) -> Bool {
        at + 2 == head.count && head[at] == 0 && head[at + 1] == 0
    }

    private static func skipField(_ head: Span<UInt8>, _ at: inout Int) -> Refusal? {
        let nameEnd = head.end(from: at) { $0.isTokenCharacter }
        // A line that is continued begins with a blank; the library may have wiped the name before it.
        guard nameEnd > at, nameEnd < head.count, head[nameEnd] == 0 else { return .fieldName }
        at = head.end(from: nameEnd + 1) { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
        guard at < head.count, head[at] == 0 else { return .fieldValue }
        return skipLineEnd(head, &at) ? nil : .lineEnd
    }

    private static func skipLineEnd(_ head: Span<UInt8>, _ at: inout Int) -> Bool {
        guard at + 2 <= head.count, head[at] == 0, head[at + 1] == 0 else { return false }
        at += 2
        return true
    }
}

extension Span<UInt8> {
    /// Where the bytes end that are as they shall be.
    fileprivate func end(from start: Int, while isIncluded: (UInt8) -> Bool) -> Int {
        var at = start
        while at < count, isIncluded(self[at]) { at += 1 }
        return at
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2, as two words of bits.
    var isTokenCharacter: Bool {
        isIn(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// - Parameters:
    ///   - low: a bit for each of the bytes 0 to 63.
    ///   - high: a bit for each of the bytes 64 to 127.
    func isIn(low: UInt64, high: UInt64) -> Bool {
        switch self {
        case 0..<64: low >> UInt64(self) & 1 == 1
        case 64..<128: high >> UInt64(self - 64) & 1 == 1
        default: false
        }
    }

    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

/// What is left of a connection's memory behind a head.
///
/// The library keeps what it reads at the beginning of that memory, first of all the empty lines before a head, and at
/// its end an element for each field and a copy of the cookies. What lies between is for reading the body and building
/// the head of the answer. Where a head ends can be seen, what lies before it and how large an element is cannot: so
/// each request is given a cookie before its first field, which has the library pass over those of the client, and
/// the copy of that one, which is made last, marks where the free memory ends.
///
/// How much of later requests lies behind a head cannot be seen either. The library begins to read into half of the
/// memory, and into more only for a head that needs it; so the elements have to leave room in the other half.
enum HeadMemory {
    /// Bytes that must be left: enough for a part of the body, and for the head of any answer.
    static let reserve = 2048
    /// The mark's element as a header, its copy and its element as a cookie.
    static let bytesOfMark = 144
    private static let bytesOfField = 64
    /// Bytes of the head of an answer, at most about.
    private static let bytesOfAnswer = 1500

    /// How many fields a head may have.
    ///
    /// - Parameter bytes: of a connection's memory, without the mark.
    static func maximumFieldCount(in bytes: Int) -> Int {
        max((bytes / 2 - bytesOfMark - bytesOfAnswer) / bytesOfField, 1)
    }
}
