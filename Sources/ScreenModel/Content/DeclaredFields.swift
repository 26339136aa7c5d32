/// The fields that a type of content declares.
public struct DeclaredFields: Sendable {
    /// The fields in the order in which they are written.
    public private(set) var fields: [Field] = []

    /// A Boolean value that indicates whether a value can have additional fields, whose keys depend on the value.
    public private(set) var areOpen = false

    /// The key and the type of one field.
    public struct Field: Sendable {
        public let key: String

        /// The type of the value. It is an optional type if the value can be null.
        public let type: any ContentValue.Type

        /// A Boolean value that indicates whether the field is always written.
        public let isRequired: Bool
    }

    /// Creates the list of the fields that a type declares, without a value of the type.
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
