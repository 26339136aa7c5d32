import ScreenModel

/// The components of the OpenAPI document: its named schemas, responses and parameters.
struct Components {
    private(set) var schemas: [(String, Schema)] = []
    private(set) var responses: [(String, Schema)] = []
    private var parameters: [(String, Schema)] = []
    private var usedNames: Set<String> = []
    private var names: [ObjectIdentifier: String] = [:]

    /// Reserves a name and returns it. If the name is already used, a number is appended.
    mutating func unique(_ name: String) -> String {
        // The name is empty if the name of a Swift type has no ASCII letters or digits.
        let name = name.isEmpty ? "Content" : name
        var (unique, number) = (name, 2)
        while !usedNames.insert(unique).inserted {
            unique = "\(name)\(number)"
            number += 1
        }
        return unique
    }

    /// Adds a schema, and returns a reference to it. If the name is already used, a number is appended.
    @discardableResult
    mutating func add(_ name: String, _ schema: Schema) -> Schema {
        let name = unique(name)
        schemas.append((name, schema))
        return .reference(name)
    }

    /// Adds a schema whose name was reserved before.
    mutating func append(_ name: String, _ schema: Schema) {
        schemas.append((name, schema))
    }

    /// Adds a response, unless a response with this name exists. Returns a reference to the response.
    mutating func addResponse(_ name: String, _ make: () -> Schema) -> Schema {
        if !responses.contains(where: { $0.0 == name }) { responses.append((name, make())) }
        return ["$ref": .string("#/components/responses/\(name)")]
    }

    /// Adds the parameter for a field that all operations accept, unless it exists. Returns a reference to the parameter.
    mutating func addParameter(_ field: RequestField) -> Schema {
        let name = field.rawValue.asComponentName
        if !parameters.contains(where: { $0.0 == name }) { parameters.append((name, field.parameter)) }
        return ["$ref": .string("#/components/parameters/\(name)")]
    }

    var document: Schema {
        [
            "schemas": .object(OrderedFields(schemas)), "responses": .object(OrderedFields(responses)),
            "parameters": .object(OrderedFields(parameters)),
        ]
    }
}

extension Components {
    mutating func schema(of type: any ContentValue.Type) -> Schema {
        switch type.shape {
        case .any: return [:]
        case .boolean: return ["type": "boolean"]
        case .integer: return ["type": "integer"]
        case .number: return ["type": "number"]
        case .text: return .text
        case .instant: return ["type": "string", "format": "date-time"]
        case .choice(let words): return .choice(words)
        case .list(let element): return .list(schema(of: element))
        case .dictionary(let value): return ["type": "object", "additionalProperties": schema(of: value)]
        case .optional(let wrapped): return .orNull(schema(of: wrapped))
        case .object(let content): return reference(to: content)
        }
    }

    /// Returns a reference to the schema of a content type. The first call for a type adds the schema.
    mutating func reference(to type: any Content.Type) -> Schema {
        if let name = names[ObjectIdentifier(type)] { return .reference(name) }
        let name = unique(String(describing: type).asComponentName)
        names[ObjectIdentifier(type)] = name
        let declared = DeclaredFields(of: type)
        let members = members(of: declared)
        schemas.append((name, .object(members, isClosed: !declared.areOpen)))
        return .reference(name)
    }

    mutating func members(of declared: DeclaredFields) -> [Member] {
        declared.fields.map { Member($0.key, schema(of: $0.type), isRequired: $0.isRequired) }
    }
}

extension String {
    /// The text in upper camel case, with only ASCII letters and digits. For example, `invalid-body` becomes `InvalidBody`.
    var asComponentName: String {
        let words = utf8.split { !Self.isAllowed($0) }.map { String($0)! }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
