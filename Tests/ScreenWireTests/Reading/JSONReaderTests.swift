import ScreenModel
import Testing

@testable import ScreenWire

@Suite("Reading JSON") struct JSONReaderTests {
    @Test(arguments: [
        ("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)), ("0", .number("0")),
        (#""""#, .string("")), ("[]", .array([])), ("{}", .object([])), (" \t\n\r [ \t\n\r ] \t\n\r ", .array([])),
        ("[1 , 2]", .array([.number("1"), .number("2")])), ("[[],[[]]]", .array([.array([]), .array([.array([])])])),
        (#"{ "a" : 1 , "b" : [ ] }"#, .object([.init("a", .number("1")), .init("b", .array([]))])),
        (#"{"":{"":0}}"#, .object([.init("", .object([.init("", .number("0"))]))])),
        (#"{"b":1,"a":2}"#, .object([.init("b", .number("1")), .init("a", .number("2"))])),
    ])
    func jsonValuesOfEveryTypeAreRead(json: String, value: JSONValue) throws {
        #expect(try JSONReader.read(Array(json.utf8)) == value)
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "1234567890", "12345678901234567890123", "0.0", "-0.5", "1.50", "10.0", "1e5", "1E5", "1e+5",
        "1e-5", "0e0", "-0.0e-0", "1.5E+007", "1e400", "0.000000000000000000000000000000000001",
    ])
    func theJSONReaderKeepsAllDigitsOfNumbers(number: String) throws {
        #expect(try JSONReader.read(Array(number.utf8)) == .number(number))
        #expect(try JSONReader.read(Array("[\(number),\(number)]".utf8)) == .array([.number(number), .number(number)]))
    }

    @Test(arguments: [
        ("-", 0), ("--1", 0), ("-a", 0), ("01", 0), ("00", 0), ("-01", 0), ("1.", 0), ("1.e5", 0), ("1e", 0), ("1e+", 0), ("1E-", 0),
        ("[1,02]", 3), ("[-]", 1), ("1.5e", 0), ("[1.]", 1),
    ])
    func anInvalidNumberIsRejectedAtItsStart(json: String, offset: Int) {
        #expect(throws: JSONSyntaxError(offset: offset, cause: .invalidNumber)) { try JSONReader.read(Array(json.utf8)) }
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u00E9\u2028""#, "Aéé\u{2028}"),
        (#""\u0000""#, "\0"), (#""a\u0000b""#, "a\0b"), (#""\ud83c\udfd4""#, "🏔"), (#""\uD83C\uDFD4x""#, "🏔x"),
        (#""\ud800\udc00\udbff\udfff""#, "\u{10000}\u{10FFFF}"), (#""\uFFFF\ud7ff\ue000""#, "\u{FFFF}\u{D7FF}\u{E000}"),
        ("\"é🏔\u{7F}\u{2028}\"", "é🏔\u{7F}\u{2028}"), (#""é\né""#, "é\né"), (#""\\u0041""#, #"\u0041"#),
    ])
    func theJSONReaderReplacesEscapesInStrings(json: String, text: String) throws {
        guard case .string(let read) = try JSONReader.read(Array(json.utf8)) else { throw NoString(json: json) }
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        (#""\x""#, 2), (#""\ ""#, 2), (#""\'""#, 2), (#""\0""#, 2), (#""\U0041""#, 2), (#""\u12""#, 5), (#""\u12G4""#, 5),
        (#""\u+123""#, 3),
        (#""\uD83C""#, 3), (#""\uD83Cx""#, 3), (#""\uD83C\n""#, 3), (#""\uD83C\u0041""#, 3), (#""\uD83C\uD83C""#, 3),
        (#""\uDFD4""#, 3), (#""\uDFD4\uD83C""#, 3), (#""ok\uDC00""#, 5),
    ])
    func invalidEscapesAreRejected(json: String, offset: Int) {
        #expect(throws: JSONSyntaxError(offset: offset, cause: .invalidEscape)) { try JSONReader.read(Array(json.utf8)) }
    }

    @Test func controlCharactersInStringsAreRejected() {
        for byte in UInt8(0)..<0x20 {
            for (start, offset) in [("\"a", 2), (#""\n"#, 3)] {
                let json = Array(start.utf8) + [byte, UInt8(ascii: "\"")]
                #expect(throws: JSONSyntaxError(offset: offset, cause: .controlCharacter(byte))) { try JSONReader.read(json) }
            }
        }
    }

    /// Examples of invalid UTF-8 (RFC 3629): unexpected and missing continuation bytes, overlong forms, surrogates and values above
    /// U+10FFFF.
    static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE2, 0x82], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xF0, 0x9F, 0x8F], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFE], [0xFF],
    ]

    @Test(arguments: invalidUTF8) func invalidUTF8InAStringIsRejectedAtItsOffset(bytes: [UInt8]) {
        for (start, end) in [("\"", "\""), ("[\"é", "x\"]"), (#"{"a":"\n"#, #"\n"}"#), (#"{""#, #"":1}"#)] {
            let json = Array(start.utf8) + bytes + Array(end.utf8)
            #expect(throws: JSONSyntaxError(offset: start.utf8.count, cause: .invalidUTF8)) { try JSONReader.read(json) }
        }
    }

    @Test(arguments: invalidUTF8) func invalidUTF8OutsideOfAStringIsRejectedAsAnUnexpectedByte(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError(offset: 0, cause: .unexpectedByte(bytes[0]))) { try JSONReader.read(bytes) }
        #expect(throws: JSONSyntaxError(offset: 3, cause: .unexpectedByte(bytes[0]))) { try JSONReader.read(Array("[1 ".utf8) + bytes) }
    }

    @Test(arguments: [
        ("", 0, JSONSyntaxError.Cause.endOfText), ("  ", 2, .endOfText), ("[", 1, .endOfText), ("[1", 2, .endOfText),
        ("[1,", 3, .endOfText),
        ("{", 1, .endOfText), (#"{"a""#, 4, .endOfText), (#"{"a":"#, 5, .endOfText), (#"{"a":1"#, 6, .endOfText),
        (#"{"a":1,"#, 7, .endOfText),
        ("\"", 1, .endOfText), (#""a"#, 2, .endOfText), (#""\"#, 2, .endOfText), (#""\u00"#, 5, .endOfText), ("tru", 3, .endOfText),
        ("nul", 3, .endOfText), (#""\uD83C"#, 7, .endOfText), (#""\uD83C\u"#, 9, .endOfText),
        ("]", 0, .unexpectedByte(0x5D)), ("[1]]", 3, .trailingText), ("[,]", 1, .unexpectedByte(0x2C)), ("[1,]", 3, .unexpectedByte(0x5D)),
        ("[1 2]", 3, .unexpectedByte(0x32)), ("{1:2}", 1, .unexpectedByte(0x31)), ("{,}", 1, .unexpectedByte(0x2C)),
        (#"{"a":1,}"#, 7, .unexpectedByte(0x7D)), (#"{"a" 1}"#, 5, .unexpectedByte(0x31)), (#"{"a":}"#, 5, .unexpectedByte(0x7D)),
        ("{'a':1}", 1, .unexpectedByte(0x27)), ("{a:1}", 1, .unexpectedByte(0x61)), ("[1}", 2, .unexpectedByte(0x7D)),
        ("True", 0, .unexpectedByte(0x54)), ("tRue", 1, .unexpectedByte(0x52)), ("nulL", 3, .unexpectedByte(0x4C)),
        ("truee", 4, .trailingText),
        ("NaN", 0, .unexpectedByte(0x4E)), ("+1", 0, .unexpectedByte(0x2B)), (".5", 0, .unexpectedByte(0x2E)), ("0x10", 1, .trailingText),
        ("1 1", 2, .trailingText), ("{} //", 3, .trailingText), ("\0", 0, .unexpectedByte(0)), ("1\0", 1, .trailingText),
        ("\u{C}1", 0, .unexpectedByte(0x0C)), ("\u{A0}1", 0, .unexpectedByte(0xC2)), ("\u{FEFF}{}", 0, .unexpectedByte(0xEF)),
        (#"{"a":1,"a":2}"#, 7, .repeatedName("a")), (#"{"a":1, "\u0061":2}"#, 8, .repeatedName("a")),
        (#"[{"a":{"b":1,"c":2,"b":3}}]"#, 19, .repeatedName("b")),
    ])
    func invalidJSONIsRejectedAtTheFirstFault(json: String, offset: Int, cause: JSONSyntaxError.Cause) {
        #expect(throws: JSONSyntaxError(offset: offset, cause: cause)) { try JSONReader.read(Array(json.utf8)) }
    }

    @Test func memberNamesAreComparedByTheirBytes() throws {
        let json = "{\"\u{E9}\":1,\"e\u{301}\":2,\"E\":3,\"e\":4}"
        guard case .object(let members) = try JSONReader.read(Array(json.utf8)) else { throw NoString(json: json) }
        #expect(members.map(\.value) == ["1", "2", "3", "4"].map(JSONValue.number))
        #expect(throws: JSONSyntaxError(offset: 8, cause: .repeatedName("é"))) { try JSONReader.read(Array(#"{"é":1,"é":2}"#.utf8)) }
    }

    @Test func differentObjectsCanHaveMembersWithTheSameName() throws {
        #expect(throws: Never.self) { try JSONReader.read(Array(#"[{"a":{"a":1}},{"a":2}]"#.utf8)) }
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func nestingBeyondTheLimitIsRejected(open: String, close: String) throws {
        let limit = JSONReader.depthLimit
        func nested(_ depth: Int, _ inner: String) -> [UInt8] {
            Array((String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
        }
        for inner in ["1", "null", #""text""#] {
            #expect(throws: Never.self) { try JSONReader.read(nested(limit, inner)) }
        }
        for inner in ["[]", "{}"] {
            #expect(throws: Never.self) { try JSONReader.read(nested(limit - 1, inner)) }
            let fault = JSONSyntaxError(offset: limit * open.utf8.count, cause: .tooDeep(limit: limit))
            #expect(throws: fault) { try JSONReader.read(nested(limit, inner)) }
        }
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(nested(100_000, "")) }
    }

    @Test func aTextWithMoreBytesThanTheLimitIsRejected() throws {
        let json = Array("[1, 2]".utf8)
        #expect(try JSONReader.read(json, limit: 6) == [1, 2])
        #expect(throws: JSONSyntaxError(offset: 5, cause: .tooLong(limit: 5))) { try JSONReader.read(json, limit: 5) }
    }

    @Test func stringsOfEachLengthEndAtTheirClosingQuote() throws {
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            for character in ["", "é", "\"", "\\", "/", "🏔"] {
                for place in 0...length {
                    let string = text.prefix(place) + character + text.dropFirst(place)
                    let json = written(String(string))
                    guard case .array(let read) = try JSONReader.read(Array("[\(json),\(json)]".utf8)) else { throw NoString(json: json) }
                    #expect(read == [.string(String(string)), .string(String(string))])
                }
                let control = Array("\"\(text)".utf8) + [0x1F] + Array("\"".utf8)
                #expect(throws: JSONSyntaxError(offset: length + 1, cause: .controlCharacter(0x1F))) { try JSONReader.read(control) }
            }
        }
    }

    @Test(arguments: [2, 15, 16, 17, 18, 100]) func anObjectOfAnySizeWithARepeatedMemberNameIsRejected(count: Int) throws {
        let names = (0..<count).map { "n\($0)" }
        for repeated in [0, count / 2, count - 2, count - 1] {
            let members = (names + [names[repeated]]).map { "\"\($0)\":1" }
            let json = Array("{\(members.joined(separator: ","))}".utf8)
            let offset = json.count - members[count].utf8.count - 1
            #expect(throws: JSONSyntaxError(offset: offset, cause: .repeatedName(names[repeated]))) { try JSONReader.read(json) }
        }
        #expect(throws: Never.self) { try JSONReader.read(Array("{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)) }
    }

    @Test func theMembersOfAnObjectAreFoundByTheirNames() throws {
        let value = try JSONReader.read(Array(#"{"a":null,"b":[1]}"#.utf8))
        #expect(value["a"] == .null)
        #expect(value["b"] == .array([.number("1")]))
        #expect(value["c"] == nil)
        #expect(JSONValue.array([.null])["a"] == nil)
    }

    @Test func theDescriptionOfASyntaxErrorContainsItsOffset() {
        #expect(JSONSyntaxError(offset: 3, cause: .unexpectedByte(0x7D)).description == #"unexpected "}" after 3 bytes"#)
        #expect(JSONSyntaxError(offset: 0, cause: .unexpectedByte(0xEF)).description == "unexpected byte 239 after 0 bytes")
        #expect(JSONSyntaxError(offset: 9, cause: .controlCharacter(10)).description == "byte 10 unescaped in a string after 9 bytes")
    }
}

private struct NoString: Error {
    let json: String
}
