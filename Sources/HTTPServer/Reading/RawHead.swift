/// A check of the raw bytes of a request head. It finds faults that the parsed values do not show: folded fields, zero bytes, lines that
/// end with a line feed alone, and fields without a name (RFC 9112, sections 2.2, 3 and 5).
///
/// libmicrohttpd has overwritten the separators with zero bytes. Each blank beside the target is now one zero byte. The colon of each field
/// is one zero byte, and the end of each line is two zero bytes. A client can also send zero bytes, which look like these separators. So
/// the check compares the length of the target and the number of fields with the values that libmicrohttpd has found.
///
/// The bytes before the method are not checked. There, libmicrohttpd skips empty lines and lines that begin with a zero byte.
enum RawHead {
    /// Returns the reason to reject the head, or nil if the head is valid. `version` is the offset of the HTTP version in the head.
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
        // This check also rejects folded fields, because the second line of a folded field begins with a blank.
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
    /// Searches forward from the offset `start`. Returns the offset of the first byte that does not satisfy `isIncluded`, or `count` if
    /// there is no such byte.
    fileprivate func end(from start: Int, while isIncluded: (UInt8) -> Bool) -> Int {
        var at = start
        while at < count, isIncluded(self[at]) { at += 1 }
        return at
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether the character is a `tchar` of RFC 9110, section 5.6.2. The literals are bit sets.
    var isTokenCharacter: Bool {
        isIn(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// Returns a Boolean value that indicates whether the byte is in a set. The set has one bit for each of the bytes 0 to 127.
    func isIn(low: UInt64, high: UInt64) -> Bool {
        switch self {
        case 0..<64: low >> UInt64(self) & 1 == 1
        case 64..<128: high >> UInt64(self - 64) & 1 == 1
        default: false
        }
    }

    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

/// The part of a connection's memory that is free after a request head was read.
///
/// libmicrohttpd stores received bytes at the beginning of a connection's memory, including empty lines before a head. At the end of the
/// memory, it stores an element for each field, and a copy of the cookies. It uses the free memory in the middle to read the body and to
/// write the head of the response. Therefore a head is accepted only if enough memory is free.
///
/// The free memory begins at the end of the head. To find the end of the free memory, a cookie is added to each request before its first
/// field. libmicrohttpd then ignores the cookies of the client. It stores the copy of the added cookie last, so the free memory ends at
/// this copy.
///
/// Bytes of later requests may follow the head, and their number is not known. They can fill the half of the memory into which
/// libmicrohttpd reads first. It reads into the other half only if a head needs more memory. Therefore the elements of the fields must
/// leave a part of the other half free. ``maximumFieldCount(in:)`` ensures this.
enum HeadMemory {
    /// The minimum number of free bytes: enough for a part of the body, and for the head of any response.
    static let reserve = 2048
    /// The number of bytes that the added cookie uses. libmicrohttpd stores a list element for the header field (64 bytes), a copy of the
    /// text (16 bytes), and a list element for the parsed cookie (64 bytes).
    static let bytesOfMark = 144
    private static let bytesOfField = 64
    private static let maximumResponseHeadBytes = 1500

    /// Returns the maximum number of header fields. `bytes` is the size of the connection's memory, without the memory of the added cookie.
    static func maximumFieldCount(in bytes: Int) -> Int {
        max((bytes / 2 - bytesOfMark - maximumResponseHeadBytes) / bytesOfField, 1)
    }
}
