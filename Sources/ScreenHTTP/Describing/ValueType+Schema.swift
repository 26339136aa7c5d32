import ScreenModel
import ScreenService

extension TextFormat {
    /// The `format` in JSON Schema; nil if JSON Schema has no such format.
    var jsonSchema: String? {
        switch self {
        case .search: nil
        case .password: "password"
        case .email: "email"
        }
    }
}

extension ValueType {
    /// Returns the schema of a value of this type in a query or in an action's input.
    func schema(in notation: Notation) -> Schema {
        switch self {
        // The schema cannot state the required shape of the text. The description states the shape in words.
        case .text(let limit, _?): ["type": "string", "maxLength": .int(limit)]
        case .text(let limit, nil):
            Schema.object(["type": "string", "maxLength": .int(limit)])
                .with("pattern", notation == .json ? .string(#"^[^\u0000]*$"#) : nil)
        case .integer(let bounds):
            ["type": "integer", "minimum": .int(bounds.lowerBound), "maximum": .int(bounds.upperBound)]
        case .number(let bounds):
            ["type": "number", "minimum": .double(bounds.lowerBound), "maximum": .double(bounds.upperBound)]
        case .boolean: ["type": "boolean"]
        case .date: ["type": "string", "format": "date"]
        case .choice(let words): .choice(words)
        }
    }

    /// The JSON type of a value in an action's input.
    var jsonType: String {
        switch self {
        case .text, .date, .choice: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        }
    }

    /// An example of a value; nil if the text must have a certain shape.
    var sample: Schema? {
        switch self {
        case .text(_, _?): nil
        case .text(let limit, nil): .string(String("text".prefix(limit)))
        case .integer(let bounds): .int(bounds.lowerBound)
        case .number(let bounds): .double(bounds.lowerBound)
        case .boolean: true
        case .date: "2018-07-12"
        case .choice(let words): words.first.map(Schema.string)
        }
    }

    /// Returns the JSON value that a text in a query represents. A text that is not valid for the type becomes a JSON string.
    func value(ofText text: String) -> Schema {
        switch self {
        case .integer: Int(text).map(Schema.int) ?? .string(text)
        case .number: Double(text).map(Schema.double) ?? .string(text)
        case .boolean: Bool(text).map(Schema.bool) ?? .string(text)
        case .text, .date, .choice: .string(text)
        }
    }
}
