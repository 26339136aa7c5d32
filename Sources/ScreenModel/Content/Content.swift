/// A value that is written as a JSON object, with fields that its type declares.
///
/// Cells, headers and the objects inside them are content. A type declares its fields in the function `fields`. The parameter of this
/// function is a visitor, which either writes a value or describes the type:
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
    /// Declares the fields in the order in which they are written. Each key may be declared once.
    static func fields(_ field: inout some FieldVisitor<Self>)

    /// Writes the fields that the type declares.
    ///
    /// Do not implement this method. It is a requirement of the protocol so that the compiler specializes it for each type.
    func writeFields(to writer: inout JSONWriter)
}

extension Content {
    public static var shape: ValueShape { .object(Self.self) }

    @inlinable
    public func writeFields(to writer: inout JSONWriter) {
        // The writer is moved into the visitor and back, because a visitor cannot keep a reference to it.
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

/// A visitor of the fields that a type declares. A type calls the visitor like a function for each field: `field("title", \.title)`.
public protocol FieldVisitor<Root> {
    /// The type that declares the fields.
    associatedtype Root

    /// Visits a field that is always written; `nil` is written as null.
    mutating func required<Value: ContentValue>(_ key: String, _ value: (Root) -> Value)

    /// Visits a field that is omitted if its value is `nil`.
    mutating func optional<Value: ContentValue>(_ key: String, _ value: (Root) -> Value?)

    /// Visits fields whose keys depend on the value. `write` writes these fields.
    mutating func dynamic(_ write: (Root, inout JSONWriter) -> Void)
}

extension FieldVisitor {
    /// Visits a field that is always written.
    @inlinable
    public mutating func callAsFunction<Value: ContentValue>(_ key: String, _ value: (Root) -> Value) {
        required(key, value)
    }

    /// Visits a field that is omitted if its value is `nil`.
    @inlinable
    public mutating func callAsFunction<Value: ContentValue>(_ key: String, _ value: (Root) -> Value?) {
        optional(key, value)
    }

    /// The compiler selects this function only if the type of a field has no JSON form, and then shows the message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            A field must be a `Bool`, `Int`, `Double`, `String`, `JSONValue`, an enum that conforms to `ContentValue`, a type that \
            conforms to `Content`, or an optional, an array or a dictionary of those. Convert any other value in a closure: \
            `field("price") { $0.price.description }`.
            """
    )
    public mutating func callAsFunction<Value>(_ key: String, _ value: (Root) -> Value) { fatalError() }
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
