import ScreenWire
import Testing

struct WholeNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("2.0", 2), ("-2.000", -2), ("1e3", 1000), ("1E+3", 1000), ("10.50e1", 105),
        ("-10.50e1", -105), ("100e-2", 1), ("0.5e1", 5), ("0.0", 0), ("-0.00e7", 0), ("120", 120),
        ("9007199254740993.0", 9_007_199_254_740_993),
        ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.0", .max),
        ("-9.223372036854775808e18", .min), ("9.223372036854775807e18", .max), ("1e18", 1_000_000_000_000_000_000),
        ("0e99999999999999999999", 0), ("0e-99999999999999999999", 0), ("0.000e2147483648", 0),
    ])
    func aWholeNumberIsReadExactlyInEveryNotation(digits: String, number: Int) {
        #expect(JSONValue.number(digits).wholeNumber == number)
    }

    @Test(arguments: [
        "0.5", "1.5", "1e-1", "0.99999999999999999999", "1e-400", "-1e-400", "9007199254740993.5", "10.55e1",
        "9223372036854775808", "-9223372036854775809", "9.223372036854775808e18", "1e19", "1e400", "-1e400",
        "1e2147483647", "1e2147483648", "1e-2147483648", "1.5e-2147483648", "1e99999999999999999999", "1e-99999999999999999999",
    ])
    func fractionsAndNumbersOutOfRangeAreNotWholeNumbers(digits: String) {
        #expect(JSONValue.number(digits).wholeNumber == nil)
    }

    @Test func aWholeNumberIsReadFromAHundredThousandDigits() {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(JSONValue.number("7.\(zeros)").wholeNumber == 7)
        #expect(JSONValue.number("7\(zeros)e-100000").wholeNumber == 7)
        #expect(JSONValue.number("0.\(zeros)7e100001").wholeNumber == 7)
        #expect(JSONValue.number("7.\(zeros)7").wholeNumber == nil)
        #expect(JSONValue.number("7\(zeros)").wholeNumber == nil)
    }

    @Test func valuesOfOtherJSONTypesAreNotWholeNumbers() {
        for value in [JSONValue.null, .bool(true), .string("1"), .array([.number("1")]), .object([])] {
            #expect(value.wholeNumber == nil)
        }
    }
}
