import ScreenModel
import Testing

/// Tests that two JSON values are equal if both are written as the same bytes.
struct JSONValueTests {
    // These strings are equal by `==` but have different bytes, because they represent `é` as one and as two Unicode scalars.
    private let one = "\u{E9}"
    private let two = "e\u{301}"

    @Test func stringsWithEqualBytesAreEqual() {
        #expect(JSONValue.string(one) == .string("é"))
        #expect(JSONValue.string(one) != .string(two))
        #expect(JSONValue.array([.null, .string(one)]) != .array([.null, .string(two)]))
        #expect(Set([JSONValue.string(one), .string(two), .string("\u{E9}")]).count == 2)
    }

    @Test func memberNamesAreEqualOnlyIfTheirBytesAreEqual() {
        let values = [one, two].map { JSONValue.object([JSONValue.Member($0, .null)]) }
        #expect(values[0] != values[1])
        #expect(Set(values + values).count == 2)
        #expect(JSONValue.Member(one, .null) != JSONValue.Member(two, .null))
    }

    @Test func aMemberIsFoundByTheBytesOfItsName() {
        let value = JSONValue.object([.init(two, .number("2")), .init(one, .number("1"))])
        #expect(value[one] == .number("1"))
        #expect(value[two] == .number("2"))
        #expect(JSONValue.object([.init(two, .null)])[one] == nil)
    }

    @Test func jsonValuesOfDifferentTypesOrContentsAreNotEqual() {
        let values: [JSONValue] = [
            .null, .bool(true), .bool(false), .number("1"), .number("1.0"), .string("1"), .string(""), .array([]), .object([]),
            .array([.object([])]), .object([.init("", .null)]),
        ]
        for (index, value) in values.enumerated() {
            #expect(values.firstIndex(of: value) == index)
        }
        #expect(Set(values + values).count == values.count)
    }

    @Test func jsonValuesOfEveryTypeCanBeWrittenAsSwiftLiterals() {
        let name = "Hodor"
        let value: JSONValue = [
            "null": nil, "bool": true, "int": 1, "double": 1.5, "string": "a \(name)",
            "array": [1, "b", []], "object": ["key": [:]],
        ]
        #expect(
            written(value)
                == #"{"null":null,"bool":true,"int":1,"double":1.5,"string":"a Hodor","array":[1,"b",[]],"object":{"key":{}}}"#
        )
    }

    @Test func aRepeatedKeyOfALiteralKeepsItsFirstPositionAndItsLastValue() {
        #expect(written(["a": 1, "b": 3, "a": 2] as JSONValue) == #"{"a":2,"b":3}"#)
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "1e", "0x10", "1 ", " 1", "1,2", "1}", "NaN", "٣", "\"1\""])
    func aNumberWithInvalidDigitsIsWrittenAsNull(digits: String) {
        #expect(written([.number(digits), 1] as JSONValue) == "[null,1]")
    }

    @Test func jsonNumbersAreEqualOnlyIfTheirDigitsAreEqual() {
        #expect(JSONValue.int(2) == 2.0)
        #expect(JSONValue.double(.infinity) == .null && JSONValue.double(.nan) == .null)
        #expect(JSONValue.double(2.5) == .number("2.5") && JSONValue.number("2.50") != 2.5)
        #expect(written([.number("2.50"), .number("12345678901234567890")] as JSONValue) == "[2.50,12345678901234567890]")
    }
}
