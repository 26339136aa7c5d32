/// The fields that a type of content declares, as a description of it needs them.
public struct DeclaredFields: Sendable {
    /// The fields in the order in which they are written.
    public private(set) var fields: [Field] = []

    /// Whether a value may have fields beside these, whose keys are known only from the value.
    public private(set) var areOpen = false

    /// One field: its key, and what its value is.
    public struct Field: Sendable {
        public let key: String

        /// The type of its value; an optional one where the value may be null.
        public let type: any ContentValue.Type

        /// Whether every value has the field.
        public let isRequired: Bool
    }

    /// Collects the fields of a type, without a value of it.
    public init(of type: any Content.Type) {
        func collect<Root: Content>(_ type: Root.Type) -> DeclaredFields {
            var collector = Collector<Root>()
            type.fields(&collector)
            return collector.declared
        }
        self = collect(type)
    }

    private init() {}

    private struct Collector<Root>: FieldVisitor {
        var declared = DeclaredFields()

        mutating func required<Value: ContentValue>(_ key: String, _ value: (Root) -> Value) {
            declared.fields.append(Field(key: key, type: Value.self, isRequired: true))
        }

        mutating func optional<Value: ContentValue>(_ key: String, _ value: (Root) -> Value?) {
            declared.fields.append(Field(key: key, type: Value.self, isRequired: false))
        }

        mutating func dynamic(_ write: (Root, inout JSONWriter) -> Void) {
            declared.areOpen = true
        }
    }
}
