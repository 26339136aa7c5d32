import ScreenModel

/// A part of the OpenAPI document: a JSON value, most often a JSON Schema (draft 2020-12).
typealias Schema = JSONValue

extension Schema {
    static let text: Schema = ["type": "string"]
    static let index: Schema = ["type": "integer", "minimum": 0]

    static func integer(in bounds: ClosedRange<Int>?) -> Schema {
        guard let bounds else { return ["type": "integer"] }
        return ["type": "integer", "minimum": .int(bounds.lowerBound), "maximum": .int(bounds.upperBound)]
    }

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

    /// Returns the schema of a list with a fixed number of indices or counts, such as `[section,item]`.
    static func indices(_ count: Int) -> Schema {
        ["type": "array", "items": index, "minItems": .int(count), "maxItems": .int(count)]
    }

    static func orNull(_ schema: Schema) -> Schema {
        .object(["anyOf": .array([schema, ["type": "null"]])])
    }

    /// Returns the schema of an object with these members. If `isClosed` is true, all other members are forbidden.
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

    /// Returns the schema of a union of objects. The value of one member, the discriminator, determines the schema of an object.
    static func union(of components: [(text: String, name: String)], discriminator key: String) -> Schema {
        let schemas = Schema.array(components.map { .reference($0.name) })
        // If several schemas have the same value of the member `key`, the union has no discriminator.
        guard Set(components.map(\.text)).count == components.count else { return ["anyOf": schemas] }
        let mapping = components.map { ($0.text, Schema.string("#/components/schemas/\($0.name)")) }
        return ["oneOf": schemas, "discriminator": ["propertyName": .string(key), "mapping": .object(OrderedFields(mapping))]]
    }

    /// Returns a copy of the object with an additional member, or an unchanged copy if the value is nil.
    func with(_ key: String, _ value: Schema?) -> Schema {
        guard case .object(let members) = self, let value else { return self }
        var fields = OrderedFields(members.map { ($0.name, $0.value) })
        fields[key] = value
        return .object(fields)
    }
}

/// A member of an object in a schema.
struct Member {
    let key: String
    var schema: Schema
    let isRequired: Bool

    /// Creates a member with the schema of its value. The key of an optional member ends with a question mark.
    init(_ key: String, _ schema: Schema) {
        isRequired = !key.hasSuffix("?")
        self.key = isRequired ? key : String(key.dropLast())
        self.schema = schema
    }

    init(_ key: String, _ schema: Schema, isRequired: Bool) {
        (self.key, self.schema, self.isRequired) = (key, schema, isRequired)
    }
}

/// A second name of `Member`. In extensions of `Schema`, the name `Member` means a member of a JSON value.
typealias SchemaMember = Member
