import ScreenModel
import Testing

/// A value is equal to those that are written alike, and to no other.
struct JSONValueTests {
    // Texts that read the same and have other bytes: `é` as one scalar and as two.
    private let one = "\u{E9}"
    private let two = "e\u{301}"

    @Test func stringsAreEqualIfTheirBytesAre() {
        #expect(JSONValue.string(one) == .string("é"))
        #expect(JSONValue.string(one) != .string(two))
        #expect(JSONValue.array([.null, .string(one)]) != .array([.null, .string(two)]))
        #expect(Set([JSONValue.string(one), .string(two), .string("\u{E9}")]).count == 2)
    }

    @Test func namesAreEqualIfTheirBytesAre() {
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

    @Test func valuesOfOtherKindsDiffer() {
        let values: [JSONValue] = [
            .null, .bool(true), .bool(false), .number("1"), .number("1.0"), .string("1"), .string(""), .array([]), .object([]),
            .array([.object([])]), .object([.init("", .null)]),
        ]
        for (index, value) in values.enumerated() {
            #expect(values.firstIndex(of: value) == index)
        }
        #expect(Set(values + values).count == values.count)
    }

    @Test func aLiteralIsAnyValueThatJSONKnows() {
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

    @Test func aRepeatedKeyOfALiteralKeepsItsPlaceAndItsLastValue() {
        #expect(written(["a": 1, "b": 3, "a": 2] as JSONValue) == #"{"a":2,"b":3}"#)
    }

    @Test func numbersAreEqualIfTheyAreWrittenAlike() {
        #expect(JSONValue.int(2) == 2.0)
        #expect(JSONValue.double(.infinity) == .null && JSONValue.double(.nan) == .null)
        #expect(JSONValue.double(2.5) == .number("2.5") && JSONValue.number("2.50") != 2.5)
        #expect(written([.number("2.50"), .number("12345678901234567890")] as JSONValue) == "[2.50,12345678901234567890]")
    }
}
