import ScreenModel

/// A part of the description of the API: a JSON value, most often a JSON Schema (draft 2020-12).
typealias Schema = JSONValue

extension Schema {
    static let text: Schema = ["type": "string"]
    static let index: Schema = ["type": "integer", "minimum": 0]

    static func integer(in bounds: ClosedRange<Int>?) -> Schema {
        guard let bounds else { return ["type": "integer"] }
        return ["type": "integer", "minimum": .int(bounds.lowerBound), "maximum": .int(bounds.upperBound)]
    }

    /// The schema of that name among the components.
    static func reference(_ name: String) -> Schema {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    static func constant(_ text: String) -> Schema {
        ["type": "string", "const": .string(text)]
    }

    static func choice(_ words: [String]) -> Schema {
        ["type": "string", "enum": .array(words.map(Schema.string))]
    }

    static func list(_ element: Schema) -> Schema {
        ["type": "array", "items": element]
    }

    /// So many indices and counts, such as `[section,item]`.
    static func indices(_ count: Int) -> Schema {
        ["type": "array", "items": index, "minItems": .int(count), "maxItems": .int(count)]
    }

    static func orNull(_ schema: Schema) -> Schema {
        .object(["anyOf": .array([schema, ["type": "null"]])])
    }

    /// An object with these members.
    ///
    /// - Parameter isClosed: whether it has no others.
    static func object(_ members: [SchemaMember], isClosed: Bool = true) -> Schema {
        var schema: OrderedFields<Schema> = ["type": "object"]
        schema["properties"] = .object(OrderedFields(members.map { ($0.key, $0.schema) }))
        let required = members.filter(\.isRequired).map { Schema.string($0.key) }
        if !required.isEmpty { schema["required"] = .array(required) }
        if isClosed { schema["additionalProperties"] = false }
        return .object(schema)
    }

    static func oneOf(_ schemas: [Schema]) -> Schema {
        ["oneOf": .array(schemas)]
    }

    /// One of several objects, told apart by the text of one member.
    ///
    /// - Parameter components: the names of their schemas, each with that text.
    static func union(of components: [(text: String, name: String)], toldApartBy key: String) -> Schema {
        let schemas = Schema.array(components.map { .reference($0.name) })
        // Types may share a text on purpose: then it tells nothing.
        guard Set(components.map(\.text)).count == components.count else { return ["anyOf": schemas] }
        let mapping = components.map { ($0.text, Schema.string("#/components/schemas/\($0.name)")) }
        return ["oneOf": schemas, "discriminator": ["propertyName": .string(key), "mapping": .object(OrderedFields(mapping))]]
    }

    /// The same object with another member; without one where that is nil.
    func with(_ key: String, _ value: Schema?) -> Schema {
        guard case .object(let members) = self, let value else { return self }
        var fields = OrderedFields(members.map { ($0.name, $0.value) })
        fields[key] = value
        return .object(fields)
    }
}

/// A member of an object that a schema describes.
struct Member {
    let key: String
    var schema: Schema
    let isRequired: Bool

    /// - Parameter key: with a question mark at its end where the member may be absent.
    init(_ key: String, _ schema: Schema) {
        isRequired = !key.hasSuffix("?")
        self.key = isRequired ? key : String(key.dropLast())
        self.schema = schema
    }

    init(_ key: String, _ schema: Schema, isRequired: Bool) {
        (self.key, self.schema, self.isRequired) = (key, schema, isRequired)
    }
}

/// The name of ``Member`` within ``Schema``, where `Member` is a member of a JSON object.
typealias SchemaMember = Member
