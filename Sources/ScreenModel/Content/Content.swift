/// A value that is an object, of fields that its type declares.
///
/// Everything with named parts is one: cells, headers, and the objects inside them. The fields are
/// declared once; what writes them and what describes them are visitors of that declaration:
///
///     struct PlanetCell: CellContent {
///         let id: String
///         let moons: Int
///         let ring: String?
///
///         static func fields(_ field: inout some FieldVisitor<Self>) {
///             field("name", \.id)
///             field("ring", \.ring)
///             field("hasMoons") { $0.moons > 0 }
///         }
///     }
public protocol Content: ContentValue {
    /// Declares the fields, each key once, in the order in which they are written.
    static func fields(_ field: inout some FieldVisitor<Self>)

    /// Writes the fields that the type declares.
    ///
    /// A requirement that is not generic, so that each type has one that the compiler specialised.
    func writeFields(to writer: inout JSONWriter)
}

extension Content {
    public static var shape: ValueShape { .object(Self.self) }

    @inlinable
    public func writeFields(to writer: inout JSONWriter) {
        // A visitor cannot keep a reference to the writer, so the bytes move into it and back.
        var visitor = FieldWriter(root: self, writer: JSONWriter(bytes: []))
        swap(&visitor.writer, &writer)
        Self.fields(&visitor)
        swap(&visitor.writer, &writer)
    }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.writeObject { writeFields(to: &$0) }
    }
}

/// A visitor of the fields that a type declares.
///
/// It is called with each field, `field("title", \.title)`; a field whose value is an optional is
/// left out where that is nil.
public protocol FieldVisitor<Root> {
    /// The type that declares the fields.
    associatedtype Root

    /// Visits a field that is never left out; nil stands as null.
    mutating func required<Value: ContentValue>(_ key: String, _ value: (Root) -> Value)

    /// Visits a field that is left out where its value is nil.
    mutating func optional<Value: ContentValue>(_ key: String, _ value: (Root) -> Value?)

    /// Visits fields whose keys are known only from a value, which writes them.
    mutating func dynamic(_ write: (Root, inout JSONWriter) -> Void)
}

extension FieldVisitor {
    @inlinable
    public mutating func callAsFunction<Value: ContentValue>(_ key: String, _ value: (Root) -> Value) {
        required(key, value)
    }

    @inlinable
    public mutating func callAsFunction<Value: ContentValue>(_ key: String, _ value: (Root) -> Value?) {
        optional(key, value)
    }
}

/// The visitor that writes the fields of one value.
@usableFromInline
struct FieldWriter<Root>: FieldVisitor {
    @usableFromInline let root: Root
    @usableFromInline var writer: JSONWriter

    @inlinable
    init(root: Root, writer: JSONWriter) {
        self.root = root
        self.writer = writer
    }

    @inlinable
    mutating func required<Value: ContentValue>(_ key: String, _ value: (Root) -> Value) {
        writer.key(key)
        value(root).write(to: &writer)
    }

    @inlinable
    mutating func optional<Value: ContentValue>(_ key: String, _ value: (Root) -> Value?) {
        writer.field(key, value(root))
    }

    @inlinable
    mutating func dynamic(_ write: (Root, inout JSONWriter) -> Void) {
        write(root, &writer)
    }
}
