import ScreenModel
import ScreenService

extension TextFormat {
    /// JSON Schema's word for it; nil where it has none.
    var jsonSchema: String? {
        switch self {
        case .search: nil
        case .password: "password"
        case .email: "email"
        }
    }
}

extension ValueType {
    /// What a query or an input may say.
    func schema(in notation: Notation) -> Schema {
        switch self {
        // What shape it has is said in words alone.
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

    /// JSON's name for the type of a value in an input.
    var jsonType: String {
        switch self {
        case .text, .date, .choice: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        }
    }

    /// A value for an example; nil where not every text will do.
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

    /// The value of a text that a query could have.
    func value(ofText text: String) -> Schema {
        switch self {
        case .integer: Int(text).map(Schema.int) ?? .string(text)
        case .number: Double(text).map(Schema.double) ?? .string(text)
        case .boolean: Bool(text).map(Schema.bool) ?? .string(text)
        case .text, .date, .choice: .string(text)
        }
    }
}
