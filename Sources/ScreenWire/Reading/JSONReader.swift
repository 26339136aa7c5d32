@_exported public import enum ScreenModel.JSONValue

/// A strict reader of JSON (RFC 8259) that keeps the digits of numbers and the order of members.
///
/// Foundation's decoders would lose the digits and the order, because they convert numbers to doubles and objects to dictionaries.
public struct JSONReader {
    /// The maximum depth of nested arrays and objects. The limit prevents deep recursion of the reader.
    public static let depthLimit = 128

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// The number of members for which the next object reserves memory. It is taken from the previous object, because neighbouring objects
    /// are often alike.
    private var expectedMemberCount = 0

    /// Returns the value of a JSON text in UTF-8.
    ///
    /// - Parameter limit: The maximum number of bytes. A value can need about 20 times as much memory as its text.
    /// - Throws: The first fault of the text.
    public static func read(_ bytes: [UInt8], limit: Int = .max) throws(JSONSyntaxError) -> JSONValue {
        guard bytes.count <= limit else { throw JSONSyntaxError(offset: limit, cause: .tooLong(limit: limit)) }
        return try bytes.withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in
            var reader = JSONReader(bytes: bytes)
            reader.skipSpace()
            let value = try reader.value(depth: 0)
            reader.skipSpace()
            guard reader.position == bytes.count else { throw reader.fault(.trailingText) }
            return value
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case let byte: throw fault(.unexpectedByte(byte))
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var members: [JSONValue.Member] = []
        var names = MemberNames()
        try list(closing: UInt8(ascii: "}"), depth: depth) { reader throws(JSONSyntaxError) in
            guard try reader.peek() == UInt8(ascii: "\"") else { throw reader.fault(.unexpectedByte(try reader.peek())) }
            let start = reader.position
            let name = try reader.string()
            if names.contain(name, among: members) { throw JSONSyntaxError(offset: start, cause: .repeatedName(name)) }
            reader.skipSpace()
            try reader.expect(UInt8(ascii: ":"))
            reader.skipSpace()
            let value = try reader.value(depth: depth + 1)
            if members.isEmpty { members.reserveCapacity(reader.expectedMemberCount) }
            members.append(JSONValue.Member(name, value))
        }
        expectedMemberCount = min(members.count, MemberNames.fewMembers)
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        try list(closing: UInt8(ascii: "]"), depth: depth) { reader throws(JSONSyntaxError) in
            elements.append(try reader.value(depth: depth + 1))
        }
        return .array(elements)
    }

    private mutating func list(
        closing bracket: UInt8, depth: Int, element: (inout JSONReader) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        guard depth < Self.depthLimit else { throw fault(.tooDeep(limit: Self.depthLimit)) }
        position += 1
        skipSpace()
        if try peek() == bracket {
            position += 1
            return
        }
        while true {
            try element(&self)
            skipSpace()
            if try peek() == bracket { break }
            try expect(UInt8(ascii: ","))
            skipSpace()
        }
        position += 1
    }
}

extension JSONReader {
    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for byte in word.description.utf8 { try expect(byte) }
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        guard let end = bytes.endOfNumber(from: position) else { throw fault(.invalidNumber) }
        defer { position = end }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[position..<end]), as: UTF8.self)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        let isASCII = skipUnescaped()
        switch try peek() {
        case UInt8(ascii: "\""):
            let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
            position += 1
            return isASCII ? String(decoding: text, as: UTF8.self) : try decoded(text, from: start)
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        case let byte: throw fault(.controlCharacter(byte))
        }
    }

    /// Skips the bytes before the next quote, escape or control character. Returns a Boolean value that indicates whether these bytes are
    /// ASCII.
    private mutating func skipUnescaped() -> Bool {
        let words = UnsafeRawBufferPointer(bytes)
        var highBits: UInt64 = 0
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: words.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let ends = word.endsOfUnescaped
            if ends != 0 {
                let count = ends.trailingZeroBitCount / 8
                position += count
                highBits |= word & (1 << (count * 8) - 1)
                return highBits & UInt64.highBits == 0
            }
            highBits |= word
            position += 8
        }
        while position < bytes.count, !bytes[position].endsUnescaped {
            highBits |= UInt64(bytes[position])
            position += 1
        }
        return highBits & UInt64.highBits == 0
    }

    /// Reads a string that contains an escape. The bytes before the escape are already skipped.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text = Array(bytes[start..<position])
        while true {
            let byte = try peek()
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                let text = text
                return try text.withUnsafeBufferPointer { text throws(JSONSyntaxError) in try decoded(text, from: start) }
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw JSONSyntaxError(offset: position - 1, cause: .controlCharacter(byte))
            default: text.append(byte)
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
        default: throw JSONSyntaxError(offset: position - 1, cause: .invalidEscape)
        }
    }

    /// Reads the four digits after `\u`. For the first half of a surrogate pair, also reads the escape of the second half. A half without
    /// its counterpart is a fault.
    private mutating func scalar() throws(JSONSyntaxError) -> Character {
        let start = position
        let first = try codeUnit()
        var value = UInt32(first)
        if UTF16.isLeadSurrogate(first) {
            for byte in #"\u"#.utf8 {
                guard try peek() == byte else { throw JSONSyntaxError(offset: start, cause: .invalidEscape) }
                position += 1
            }
            let second = try codeUnit()
            guard UTF16.isTrailSurrogate(second) else { throw JSONSyntaxError(offset: start, cause: .invalidEscape) }
            value = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        }
        guard let scalar = Unicode.Scalar(value) else { throw JSONSyntaxError(offset: start, cause: .invalidEscape) }
        return Character(scalar)
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(byte & 0xF)
            case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value << 4 | UInt16(byte & 0xF + 9)
            default: throw fault(.invalidEscape)
            }
            position += 1
        }
        return value
    }

    private func decoded(_ text: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        // Decoding replaces invalid UTF-8, so the text is valid only if the string has the same bytes. iOS 17 and macOS 14 do not have
        // `String(validating:as:)`.
        let string = String(decoding: text, as: UTF8.self)
        if ExactText(string).hasBytes(text) { return string }
        throw JSONSyntaxError(offset: start + validCount(of: bytes[start..<position]), cause: .invalidUTF8)
    }

    private func validCount(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var parser = UTF8.ForwardParser()
        var rest = text.makeIterator()
        var count = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { count += scalar.count }
        return count
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private func peek() throws(JSONSyntaxError) -> UInt8 {
        guard position < bytes.count else { throw fault(.endOfText) }
        return bytes[position]
    }

    private mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
        let found = try peek()
        guard found == byte else { throw fault(.unexpectedByte(found)) }
        position += 1
    }

    private func fault(_ cause: JSONSyntaxError.Cause) -> JSONSyntaxError {
        JSONSyntaxError(offset: position, cause: cause)
    }
}

/// A check that the members of an object have different names. Names are compared by their bytes (RFC 8259, section 8.3).
private struct MemberNames {
    /// The minimum number of members for which names are looked up in a set. In smaller objects, names are compared one by one.
    static let fewMembers = 16

    private var names: Set<ExactText> = []

    mutating func contain(_ name: String, among members: [JSONValue.Member]) -> Bool {
        if members.count < Self.fewMembers {
            let count = name.utf8.count
            return members.contains { $0.name.utf8.count == count && ExactText($0.name) == ExactText(name) }
        }
        if names.isEmpty { names = Set(members.map { ExactText($0.name) }) }
        return !names.insert(ExactText(name)).inserted
    }
}

extension UInt8 {
    fileprivate var endsUnescaped: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

extension UInt64 {
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// A value whose lowest set bit is the high bit of the first quote, backslash or control character among these eight bytes. If there is
    /// none, the value is 0 (Anderson, Bit Twiddling Hacks, "hasless", "haszero").
    fileprivate var endsOfUnescaped: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslashes = self ^ ones &* UInt64(UInt8(ascii: "\\"))
        let less = (self &- ones &* 0x20) & ~self | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return less & Self.highBits
    }
}
