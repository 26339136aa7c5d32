import ScreenModel
import Testing

/// A value writes itself as a scalar, a list or an object.
struct ContentValueTests {
    enum Status: String, ContentValue {
        case discounted
    }

    enum Level: Int, ContentValue {
        case high = 3
    }

    @Test func scalarsWriteThemselves() {
        #expect(written(true) == "true")
        #expect(written(7) == "7")
        #expect(written(10.766) == "10.766")
        #expect(written("ORGE") == #""ORGE""#)
    }

    @Test func nilIsNull() {
        #expect(written(Int?.none) == "null")
        #expect(written(Int?.some(1)) == "1")
        #expect(written(["a", nil]) == #"["a",null]"#)
    }

    @Test func anArrayWritesItsElementsInOrder() {
        #expect(written([3, 1, 2]) == "[3,1,2]")
        #expect(written([[1], []]) == "[[1],[]]")
    }

    @Test func anEnumWritesItsRawValue() {
        #expect(written(Status.discounted) == #""discounted""#)
        #expect(written(Level.high) == "3")
    }

    @Test func aDictionaryIsAnObject() {
        #expect(written([String: Int]()) == "{}")
        #expect(written(["a": ["b": [1]]]) == #"{"a":{"b":[1]}}"#)
        #expect(written(["a": Int?.none]) == #"{"a":null}"#)
    }

    @Test func aDictionaryWritesItsKeysInOrder() {
        let keys = (0..<100).map { "key\($0)" }
        let fields = keys.sorted().map { "\"\($0)\":true" }.joined(separator: ",")
        let dictionary = Dictionary(uniqueKeysWithValues: keys.map { ($0, true) })
        #expect(written(dictionary) == "{\(fields)}")
    }

    /// The Kelvin sign is E2 84 AA and normalises to `K`, 4B, which would come before `z`;
    /// U+FF5A comes before U+1F600 in UTF-8, but not in UTF-16.
    @Test func theOrderOfKeysIsThatOfTheirUTF8() {
        let dictionary = ["\u{212A}": 1, "z": 2, "Z": 3, "": 4, "\u{FF5A}": 5, "\u{1F600}": 6]
        #expect(written(dictionary) == #"{"":4,"Z":3,"z":2,"\#u{212A}":1,"\#u{FF5A}":5,"\#u{1F600}":6}"#)
    }
}
