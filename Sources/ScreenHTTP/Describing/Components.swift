import ScreenModel

/// The parts of the description that are written once and referred to by name.
struct Components {
    private(set) var schemas: [(String, Schema)] = []
    private(set) var responses: [(String, Schema)] = []
    private var taken: Set<String> = []
    /// The names of the types of content that have a schema.
    private var names: [ObjectIdentifier: String] = [:]

    /// The name, or the first free one with a number.
    mutating func unique(_ name: String) -> String {
        // A name without any letter of a component's would be none.
        let name = name.isEmpty ? "Content" : name
        var (unique, number) = (name, 2)
        while !taken.insert(unique).inserted {
            unique = "\(name)\(number)"
            number += 1
        }
        return unique
    }

    /// Adds a schema, under another name where this one is taken.
    ///
    /// - Returns: a reference to it.
    @discardableResult
    mutating func add(_ name: String, _ schema: Schema) -> Schema {
        let name = unique(name)
        schemas.append((name, schema))
        return .reference(name)
    }

    /// Adds a schema under a name that is taken for it.
    mutating func append(_ name: String, _ schema: Schema) {
        schemas.append((name, schema))
    }

    /// Adds a response, where there is none of that name.
    ///
    /// - Returns: a reference to it.
    mutating func addResponse(_ name: String, _ make: () -> Schema) -> Schema {
        if !responses.contains(where: { $0.0 == name }) { responses.append((name, make())) }
        return ["$ref": .string("#/components/responses/\(name)")]
    }

    var document: Schema {
        ["schemas": .object(OrderedFields(schemas)), "responses": .object(OrderedFields(responses))]
    }
}

// What Swift types say of their values.
extension Components {
    mutating func schema(of type: any ContentValue.Type) -> Schema {
        switch type.shape {
        case .any: return [:]
        case .boolean: return ["type": "boolean"]
        case .integer: return ["type": "integer"]
        case .number: return ["type": "number"]
        case .text: return .text
        case .choice(let words): return .choice(words)
        case .list(let element): return .list(schema(of: element))
        case .dictionary(let value): return ["type": "object", "additionalProperties": schema(of: value)]
        case .optional(let wrapped): return .orNull(schema(of: wrapped))
        case .object(let content): return reference(to: content)
        }
    }

    /// The schema of a type of content, which is added where there is none yet.
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
    /// It as a part of the name of a component: its words, which hyphens part, as one, without what such a name cannot have.
    /// `invalid-body` is `InvalidBody`.
    var asComponentName: String {
        let words = utf8.split { !Self.isFit($0) }.map { String($0)! }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func isFit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
