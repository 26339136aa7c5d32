import ScreenModel
import Testing

@Suite("Writing JSON") struct JSONWriterTests {
    @Test func everyControlCharacterIsEscaped() {
        let short: [UInt8: String] = [0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#]
        for byte in UInt8(0)..<0x20 {
            let digits = String(byte, radix: 16)
            let escape = short[byte] ?? #"\u00"# + (digits.utf8.count == 1 ? "0" : "") + digits
            #expect(written("a\(Unicode.Scalar(byte))b") == #""a\#(escape)b""#)
        }
    }

    @Test(arguments: [
        ("", #""""#), (#"say "no""#, #""say \"no\"""#), (#"a\b"#, #""a\\b""#), ("a/b", #""a/b""#),
        ("\0", #""\u0000""#), ("a\0b", #""a\u0000b""#), ("\u{7F}", "\"\u{7F}\""), ("\u{80}", "\"\u{80}\""),
        ("Zoé 🏔️ 🇫🇷", #""Zoé 🏔️ 🇫🇷""#), ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""), ("\r\n", #""\r\n""#),
        ("\u{FEFF}", "\"\u{FEFF}\""), ("\u{10FFFF}", "\"\u{10FFFF}\""), ("\\\"\n", #""\\\"\n""#),
    ])
    func onlyCharactersThatMustBeEscapedInJSONAreEscaped(text: String, json: String) {
        #expect(written(text) == json)
    }

    /// The writer checks eight bytes at a time. The result could therefore depend on the position of a byte and on the bytes around it.
    @Test func aByteThatNeedsAnEscapeIsEscapedAtEveryPositionOfAStringOrKey() {
        let neighbours = [" ", "!", "#", "[", "]", "\u{7F}", "é", "🏔"]
        for (escaped, escape) in [("\"", #"\""#), ("\\", #"\\"#), ("\u{1F}", #"\u001f"#), ("\0", #"\u0000"#)] {
            for neighbour in neighbours {
                for (before, behind) in (0..<20).flatMap({ before in (0..<12).map { (before, $0) } }) {
                    let (front, back) = (String(repeating: neighbour, count: before), String(repeating: neighbour, count: behind))
                    #expect(written(front + escaped + back) == "\"\(front)\(escape)\(back)\"")
                    #expect(written([front + escaped + back: 1]) == "{\"\(front)\(escape)\(back)\":1}")
                }
            }
        }
    }

    @Test func stringsOfEveryLengthWithoutEscapesAreWrittenUnchanged() {
        let letters = ["a", "!", "#", "[", "\u{7F}", "é", "\u{FFFF}"]
        for text in letters.flatMap({ letter in (0..<40).map { String(repeating: letter, count: $0) } }) {
            #expect(written(text) == "\"\(text)\"")
            #expect(written([text: text]) == "{\"\(text)\":\"\(text)\"}")
        }
    }

    @Test func writtenStringsAreNotNormalized() {
        #expect(Array(written("é").utf8) == [0x22, 0xC3, 0xA9, 0x22])
        #expect(Array(written("e\u{301}").utf8) == [0x22, 0x65, 0xCC, 0x81, 0x22])
    }

    @Test(arguments: [
        (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (-9, "-9"), (1_234_567, "1234567"),
        (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ])
    func integersAreWrittenAsDecimalDigits(number: Int, json: String) {
        #expect(written(number) == json)
    }

    @Test(arguments: [
        (0.1, "0.1"), (10.766, "10.766"), (-2.5, "-2.5"), (1.0, "1"), (-3.0, "-3"), (120.0, "120"), (-0.0, "0"), (0.0, "0"),
        (0.1 + 0.2, "0.30000000000000004"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"), (1e15, "1000000000000000"),
        (0x1p53 - 1, "9007199254740991"), (0x1p53, "9007199254740992.0"), (1e22, "1e+22"), (-1e300, "-1e+300"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ])
    func doublesAreWrittenInTheirShortestForm(number: Double, json: String) {
        #expect(written(number) == json)
        #expect(Double(written(number)) == number)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, .signalingNaN])
    func infinitiesAndNaNAreWrittenAsNull(number: Double) {
        #expect(written(number) == "null")
    }

    @Test func anEnumIsWrittenAsItsRawValue() {
        enum Status: String, ContentValue { case discounted }
        enum Level: Int, ContentValue { case high = 3 }
        #expect(written(Status.discounted) == #""discounted""#)
        #expect(written(Level.high) == "3")
    }

    @Test func commasSeparateElementsAndFields() {
        #expect(written([Int]()) == "[]")
        #expect(written([1, 2, 3]) == "[1,2,3]")
        #expect(written([[Int](), [1], [], [2, 3]]) == "[[],[1],[],[2,3]]")
        #expect(written(["[", "{", ","]) == #"["[","{",","]"#)
        #expect(written([nil, true, nil, false]) == "[null,true,null,false]")
        #expect(written(Empty()) == "{}")
        #expect(written([Empty(), Empty()]) == "[{},{}]")
        #expect(written(Nested()) == #"{"empty":{},"list":[{"a":1},{},{"b":[2]}],"bracket":"[","last":null}"#)
    }

    @Test func nilFieldsAreOmittedAndNilElementsAreWrittenAsNull() {
        #expect(written(Optionals(first: nil, second: nil)) == "{}")
        #expect(written(Optionals(first: nil, second: 2)) == #"{"second":2}"#)
        #expect(written(Optionals(first: 1, second: nil)) == #"{"first":1}"#)
        #expect(written([Int?.none]) == "[null]")
        #expect(written(["a": Int?.none]) == #"{"a":null}"#)
    }

    /// With other rules, two of the keys would have different places. If keys were normalized, the Kelvin sign (E2 84 AA) would become `K`,
    /// which precedes `z`. If keys were ordered by UTF-16, U+FFFD would follow U+1F3D4.
    @Test func theKeysOfADictionaryAreOrderedByTheirUTF8Bytes() {
        let keys = ["b", "a", "", "é", "z", "Z", "10", "9", "\u{FFFD}", "🏔", "\u{212A}"]
        let json = written(Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) }))
        #expect(json == #"{"":2,"10":6,"9":7,"Z":5,"a":1,"b":0,"z":4,"é":3,"\#u{212A}":10,"\#u{FFFD}":8,"🏔":9}"#)
        #expect(written(["a": ["d": 1, "c": 2]]) == #"{"a":{"c":2,"d":1}}"#)
    }

    @Test func rawElementsAreSeparatedByCommas() {
        var writer = JSONWriter()
        writer.separate()
        writer.write(raw: "[")
        for json in ["1", "{}", "\"[\""] {
            writer.separate()
            writer.write(raw: Array(json.utf8)[...])
        }
        writer.write(raw: "]")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[1,{},"["]"#)
    }
}

private struct Empty: Content {
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private struct Optionals: Content {
    let first: Int?
    let second: Int?

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("first", \.first)
        field("second", \.second)
    }
}

private struct Nested: Content {
    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("empty") { _ in Empty() }
        field("list") { _ in [["a": JSONValue.int(1)], [:], ["b": [2]]] }
        field("bracket") { _ in "[" }
        field.required("last") { _ in Int?.none }
    }
}
