import ScreenModel
import Testing

struct ValueShapeTests {
    enum Mark: String, CaseIterable, ContentValue {
        case new, explicit
    }

    enum Word: String, ContentValue {
        case any
    }

    struct Weight: Content {
        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }

    struct Own: ContentValue {
        func write(to writer: inout JSONWriter) {}
    }

    @Test(
        arguments: [
            (Bool.self, "boolean"), (Int.self, "integer"), (Double.self, "number"), (String.self, "text"),
            (Mark.self, "choice([\"new\", \"explicit\"])"),
            (Word.self, "text"), ([Int].self, "list(Swift.Int)"), ([String: Int].self, "dictionary(Swift.Int)"),
            (Int?.self, "optional(Swift.Int)"),
            (Own.self, "any"), (OrderedFields<JSONValue>.self, "dictionary(ScreenModel.JSONValue)"), (JSONValue.self, "any"),
        ] as [(any ContentValue.Type, String)])
    func theShapeOfATypeDescribesTheJSONOfItsValues(_ type: any ContentValue.Type, _ shape: String) {
        #expect("\(type.shape)" == shape)
    }

    @Test func theShapeOfAContentTypeRefersToTheType() {
        guard case .object(let type) = Weight.shape else {
            Issue.record("\(Weight.shape)")
            return
        }
        #expect(ObjectIdentifier(type) == ObjectIdentifier(Weight.self))
    }
}
