import ScreenModel
import Testing

/// Tests that content is written as an object with the fields that the type of the content declares.
struct ContentTests {
    struct Weighing: Content {
        var tonnes: Double?
        var note: String?
        var isLate = false

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("id") { _ in 7 }
            field("tonnes", \.tonnes)
            field("tags") { _ in ["a", "b"] }
            field.required("note", \.note)
            field("late") { $0.isLate ? "by a day" : nil }
        }
    }

    /// Content whose keys depend on its value.
    struct Counts: Content {
        var title: String
        var counts: [String: Int]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field.dynamic { value, writer in
                for (key, count) in value.counts.sorted(by: <) { writer.field(key, count) }
            }
        }
    }

    @Test func fieldsAreWrittenInTheOrderOfTheirDeclaration() {
        #expect(
            written(Weighing(tonnes: 1.5, note: "wet", isLate: true))
                == #"{"id":7,"tonnes":1.5,"tags":["a","b"],"note":"wet","late":"by a day"}"#
        )
    }

    @Test func aNilFieldIsOmittedUnlessItIsRequired() {
        #expect(written(Weighing()) == #"{"id":7,"tags":["a","b"],"note":null}"#)
    }

    @Test func aFieldCanContainNestedContent() {
        struct Day: Content {
            let first: Weighing

            static func fields(_ field: inout some FieldVisitor<Self>) {
                field("first", \.first)
                field("id", \.first.tonnes)
            }
        }
        let first = #"{"id":7,"tonnes":2,"tags":["a","b"],"note":null}"#
        #expect(written([Day(first: Weighing(tonnes: 2))]) == #"[{"first":\#(first),"id":2}]"#)
    }

    @Test func dynamicFieldsAreWrittenWithKeysFromTheValue() {
        #expect(written(Counts(title: "t", counts: ["b": 2, "a": 1])) == #"{"title":"t","a":1,"b":2}"#)
        #expect(written(Counts(title: "t", counts: [:])) == #"{"title":"t"}"#)
    }
}
