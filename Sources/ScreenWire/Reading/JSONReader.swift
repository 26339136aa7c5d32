// Callers that read documents need the type of what is read.
@_exported public import enum ScreenModel.JSONValue

/// A reader of JSON by RFC 8259, strict, that loses no digit.
///
/// Foundation's decoders turn numbers into doubles and objects into dictionaries; what passes
/// through here must come out as it went in.
public struct JSONReader {
    /// How deep arrays and objects may be nested. The reader calls itself for each level.
    public static let depthLimit = 128

    private let bytes: [UInt8]
    private var position = 0

    /// Returns the value that `bytes` are, with white space around it at most.
    public static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.fault(.trailingText) }
        return value
    }

    private init(bytes: [UInt8]) {
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
        // Strings that differ in bytes can be equal: RFC 8259, section 8.3, compares code units.
        var names: Set<[UInt8]> = []
        try list(closing: UInt8(ascii: "}"), depth: depth) { reader throws(JSONSyntaxError) in
            guard try reader.peek() == UInt8(ascii: "\"") else { throw reader.fault(.unexpectedByte(try reader.peek())) }
            let start = reader.position
            let name = try reader.string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw JSONSyntaxError(offset: start, cause: .repeatedName(name))
            }
            reader.skipSpace()
            try reader.expect(UInt8(ascii: ":"))
            reader.skipSpace()
            members.append(JSONValue.Member(name, try reader.value(depth: depth + 1)))
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        try list(closing: UInt8(ascii: "]"), depth: depth) { reader throws(JSONSyntaxError) in
            elements.append(try reader.value(depth: depth + 1))
        }
        return .array(elements)
    }

    /// Reads what stands between two brackets, separated by commas.
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
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let isZero = position < bytes.count && bytes[position] == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits == 1 || (digits > 1 && !isZero) else { throw JSONSyntaxError(offset: start, cause: .invalidNumber) }
        if skip(UInt8(ascii: ".")), skipDigits() == 0 { throw JSONSyntaxError(offset: start, cause: .invalidNumber) }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            if skipDigits() == 0 { throw JSONSyntaxError(offset: start, cause: .invalidNumber) }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
        return position - start
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while true {
            switch try peek() {
            case UInt8(ascii: "\""):
                let text = bytes[start..<position]
                position += 1
                return try decoded(text, from: start)
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case let byte where byte < 0x20: throw fault(.controlCharacter(byte))
            default: position += 1
            }
        }
    }

    /// Goes on with a string that has escapes, from the first of them.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text = Array(bytes[start..<position])
        while true {
            let byte = try peek()
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try decoded(text[...], from: start)
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

    /// Reads the digits of `\u`, and the second half of a pair. Half a pair names no character.
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

    private func decoded(_ text: ArraySlice<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        // What is no UTF-8 is replaced, and then differs. `String(validating:as:)` is newer than iOS 17 and macOS 14.
        let string = String(decoding: text, as: UTF8.self)
        if text.withUnsafeBufferPointer(ExactText(string).hasBytes) { return string }
        throw JSONSyntaxError(offset: start + validCount(of: bytes[start..<position]), cause: .invalidUTF8)
    }

    /// How many bytes come before the first that are no UTF-8. Escapes are ASCII, so a string is as
    /// valid as the text that it is written in.
    private func validCount(of text: ArraySlice<UInt8>) -> Int {
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
