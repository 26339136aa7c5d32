import Glibc

/// The grammar of a Host field: `host [":" port]` of RFC 3986, section 3.2. The host may be empty (RFC 9110, section 7.2). Brackets
/// contain an IPv6 address without a zone; later IP versions are not accepted.
enum HostField {
    static func isValid(_ value: Span<UInt8>) -> Bool {
        var end = value.count
        while end > 0, value[end - 1].isBlank { end -= 1 }
        var at = 0
        guard skipHost(value, &at, end) else { return false }
        if at == end { return true }
        guard value[at] == UInt8(ascii: ":") else { return false }
        return (at + 1..<end).allSatisfy { value[$0] >= UInt8(ascii: "0") && value[$0] <= UInt8(ascii: "9") }
    }

    private static func skipHost(_ value: Span<UInt8>, _ at: inout Int, _ end: Int) -> Bool {
        if end > 0, value[0] == UInt8(ascii: "[") { return skipAddress(value, &at, end) }
        while at < end {
            if value[at] == UInt8(ascii: "%") {
                guard at + 2 < end, value[at + 1].isHexDigit, value[at + 2].isHexDigit else { return false }
                at += 3
            } else if value[at].isNameCharacter {
                at += 1
            } else {
                return true
            }
        }
        return true
    }

    private static func skipAddress(_ value: Span<UInt8>, _ at: inout Int, _ end: Int) -> Bool {
        guard let close = (1..<end).first(where: { value[$0] == UInt8(ascii: "]") }) else { return false }
        at = close + 1
        let text = String(decoding: (1..<close).map { value[$0] }, as: UTF8.self)
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether the character is `unreserved` or one of the `sub-delims` of RFC 3986. The literals are bit
    /// sets.
    fileprivate var isNameCharacter: Bool {
        isIn(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    fileprivate var isHexDigit: Bool {
        isIn(low: 0x03FF_0000_0000_0000, high: 0x0000_007E_0000_007E)
    }
}
