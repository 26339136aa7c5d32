import Foundation
import ScreenModel
import ScreenWire
import SeededRandom
import Testing

@Suite("Decoding values") struct JSONValueDecodingTests {
    private func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONReader.read(Array(json.utf8)).decode(type)
    }

    /// Expects that decoding a value fails. Returns the kind and the coding path of the error.
    private func failure<Value: Decodable>(_ json: String, as type: Value.Type) throws -> String {
        let error = try #require(throws: DecodingError.self) { try decoded(json, as: type) }
        let (kind, context): (String, DecodingError.Context) =
            switch error {
            case .typeMismatch(_, let context): ("mismatch", context)
            case .valueNotFound(_, let context): ("null", context)
            case .keyNotFound(let key, let context): ("missing \(key.stringValue)", context)
            case .dataCorrupted(let context): ("corrupted", context)
            @unknown default: throw error
            }
        return ([kind] + context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }).joined(separator: "/")
    }

    struct Sample: Codable, Equatable {
        var text: String?
        var whole: Int
        var small: Int8
        var ratio: Double
        var isOn: Bool
        var list: [Inner]
        var names: [String: Inner?]
        var kind: Kind
        var empty: Inner?
    }
    struct Inner: Codable, Equatable {
        var numbers: [UInt16]
        var optionals: [String?]
    }
    enum Kind: String, Codable { case one, two }

    @Test(arguments: Seeds.first(50)) func valuesAreDecodedAsFoundationDecodesThem(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func inner() -> Inner {
            Inner(
                numbers: (0..<Int.random(in: 0..<4, using: &generator)).map { _ in .random(in: 0 ... .max, using: &generator) },
                optionals: [nil, "é\"\n", "", "x"].shuffled(using: &generator))
        }
        for _ in 0..<20 {
            let names = (0..<Int.random(in: 0..<40, using: &generator)).map { ("n\($0)", Bool.random(using: &generator) ? inner() : nil) }
            let sample = Sample(
                text: Bool.random(using: &generator) ? "🏔" : nil, whole: Int(truncatingIfNeeded: generator.next()),
                small: .random(in: .min ... .max, using: &generator), ratio: .random(in: -1e9...1e9, using: &generator),
                isOn: .random(using: &generator), list: [inner(), inner()], names: Dictionary(uniqueKeysWithValues: names),
                kind: Bool.random(using: &generator) ? .one : .two, empty: Bool.random(using: &generator) ? inner() : nil)
            let json = try JSONEncoder().encode(sample)
            #expect(try JSONReader.read(Array(json)).decode(Sample.self) == sample)
        }
    }

    @Test func decodedWholeNumbersOfEachTypeKeepAllDigits() throws {
        #expect(try decoded("9223372036854775807", as: Int64.self) == .max)
        #expect(try decoded("-9223372036854775808", as: Int.self) == .min)
        #expect(try decoded("18446744073709551615", as: UInt64.self) == .max)
        #expect(try decoded("[9007199254740993]", as: [Int].self) == [9_007_199_254_740_993])
        #expect(try decoded("1.8446744073709551615e19", as: UInt.self) == .max)
        #expect(try decoded("2.0", as: UInt8.self) == 2 && decoded("1e2", as: Int8.self) == 100 && decoded("-0", as: UInt16.self) == 0)
        #expect(try decoded("170141183460469231731687303715884105727", as: Int128.self) == .max)
        #expect(try decoded("[1]", as: [UInt128].self) == [1])
        #expect(
            try decoded("[1,2]", as: [Int32].self) == [1, 2] && decoded("7", as: UInt32.self) == 7 && decoded("-7", as: Int16.self) == -7)
    }

    @Test(arguments: ["256", "-1", "1.5", "1e3", "1e-1", "0.99999999999999999999", "1e99999999999"])
    func aNumberThatDoesNotFitItsIntegerTypeCannotBeDecoded(json: String) throws {
        #expect(try failure(#"{"a":[\#(json)]}"#, as: [String: [UInt8]].self) == "corrupted/a/0")
    }

    @Test func floatingPointNumbersAreDecodedFromTheirDigits() throws {
        #expect(try decoded("0.1", as: Double.self) == 0.1 && decoded("16777217", as: Float.self) == 16_777_216)
        #expect(try decoded("5", as: Double.self) == 5 && decoded("-1.5e3", as: Float.self) == -1500)
        #expect(try failure("1e400", as: Double.self) == "corrupted" && failure("[1e39]", as: [Float].self) == "corrupted/0")
        let digits = "1234567890123456789012345678.901234567"
        #expect(try decoded(digits, as: Decimal.self).description == digits)
        #expect(try decoded(#"{"d":0.1}"#, as: [String: Decimal].self) == ["d": Decimal(sign: .plus, exponent: -1, significand: 1)])
        #expect(try failure("[1e400]", as: [Decimal].self) == "corrupted/0")
    }

    @Test func datesUUIDsAndURLsAreDecodedFromStrings() throws {
        let date = Date(timeIntervalSince1970: 1_531_391_400)
        #expect(try decoded(#""2018-07-12T10:30:00Z""#, as: Date.self) == date)
        #expect(try decoded(#"["2018-07-12T12:30:00+02:00"]"#, as: [Date].self) == [date])
        #expect(try decoded(#""2018-07-12T10:30:00.500Z""#, as: Date.self) == date.addingTimeInterval(0.5))
        let uuid = UUID()
        #expect(try decoded("\"\(uuid.uuidString)\"", as: UUID.self) == uuid)
        #expect(try decoded(#""https://example.com/a?b=c""#, as: URL.self).host() == "example.com")
        #expect(try failure(#"{"a":"yesterday"}"#, as: [String: Date].self) == "corrupted/a")
        #expect(try failure("[1531391400]", as: [Date].self) == "mismatch/0")
        #expect(try failure(#""7""#, as: UUID.self) == "corrupted" && failure("null", as: UUID.self) == "null")
    }

    @Test func aDecodingErrorContainsTheCodingPathOfTheInvalidValue() throws {
        #expect(try failure(#"{"a":[{},{"numbers":[1,"x"],"optionals":[]}]}"#, as: [String: [Inner]].self) == "missing numbers/a/0")
        #expect(try failure(#"[{"numbers":[1,"x"],"optionals":[]}]"#, as: [Inner].self) == "mismatch/0/numbers/1")
        #expect(try failure(#"[{"numbers":null,"optionals":[]}]"#, as: [Inner].self) == "null/0/numbers")
        #expect(try failure("[1]", as: [String: Int].self) == "mismatch" && failure("{}", as: [Int].self) == "mismatch")
        #expect(try failure(#"{"a":1}"#, as: [String: String].self) == "mismatch/a")
        #expect(try failure(#"["true"]"#, as: [Bool].self) == "mismatch/0")
        #expect(try failure(#"["three"]"#, as: [Kind].self) == "corrupted/0")
        #expect(try failure("[]", as: Pair.self) == "null/0")
    }

    @Test func optionalMembersThatAreMissingOrNullAreDecodedAsNil() throws {
        struct Optionals: Decodable, Equatable {
            var a: Int?
            var b: String?
            var c: [Int?]?
        }
        #expect(try decoded(#"{"a":null,"c":[null,1],"$later":{}}"#) == Optionals(a: nil, b: nil, c: [nil, 1]))
        #expect(try decoded("null", as: Int?.self) == nil && decoded("[null]", as: [String?].self) == [nil])
    }

    /// A type that is decoded from an array. It uses nested containers and the decoders for a superclass.
    struct Pair: Decodable, Equatable {
        var first: Int
        var isSecondNull: Bool
        var deep: [String: Int]
        var rest: Int
        var last: String

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            first = try elements.decode(Int.self)
            isSecondNull = try elements.decodeNil()
            var nested = try elements.nestedUnkeyedContainer()
            deep = try nested.decode([String: Int].self)
            let object = try elements.nestedContainer(keyedBy: Key.self)
            rest = try object.superDecoder(forKey: .rest).singleValueContainer().decode(Int.self)
            #expect(try object.superDecoder().singleValueContainer().decodeNil())
            #expect(object.allKeys == [.rest] && object.contains(.rest) && !object.contains(.other))
            #expect(elements.currentIndex == 4 && elements.count == 5 && !elements.isAtEnd)
            last = try elements.superDecoder().singleValueContainer().decode(String.self)
            #expect(elements.isAtEnd)
        }

        enum Key: String, CodingKey { case rest, other }
    }

    @Test func nestedContainersDecodeThePartsOfAValue() throws {
        let pair = try decoded(#"[1,null,[{"a":2}],{"rest":3,"x":4},"z"]"#, as: Pair.self)
        #expect(pair.first == 1 && pair.isSecondNull && pair.deep == ["a": 2] && pair.rest == 3 && pair.last == "z")
    }

    @Test func aJSONValueIsDecodedUnchanged() throws {
        struct Cell: Decodable {
            let extra: JSONValue
            let action: ScreenAction
            let link: ScreenLink?
            let size: Size?
        }
        let cell = try decoded(
            #"{"extra":[1.50,{"b":1,"a":null}],"action":{"name":"weigh","input":{"kg":9007199254740993.0}},"size":{"height":1}}"#,
            as: Cell.self)
        #expect(cell.extra == .array([.number("1.50"), .object([.init("b", .number("1")), .init("a", .null)])]))
        #expect(written(cell.action) == #"{"name":"weigh","input":{"kg":9007199254740993.0}}"#)
        #expect(cell.link == nil && cell.size == Size(height: 1))
        #expect(try failure(#"[{"name":1}]"#, as: [ScreenAction].self) == "mismatch/0")
    }

    @Test func aDecoderComparesMemberNamesByTheirBytes() throws {
        struct Accents: Decodable {
            let value: Int
            enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
        }
        #expect(try decoded("{\"e\u{301}\":1,\"\u{E9}\":2}", as: Accents.self).value == 2)
    }
}
