/// A value that can be written as JSON: a scalar, a list or an object.
///
/// Equal values are written as the same bytes, on every machine and after every restart. The only exceptions are strings that are
/// canonically equivalent but differ in their UTF-8.
///
/// These types conform to the protocol: `Bool`, `Int`, `Double`, `String`, ``JSONValue``, ``Content`` and ``OrderedFields``, and optionals,
/// arrays and dictionaries with `String` keys of them. An enum with a raw value conforms if it declares so:
/// `enum Diet: String, ContentValue`.
public protocol ContentValue: Sendable {
    /// Writes exactly one JSON value.
    func write(to writer: inout JSONWriter)

    /// The JSON form of all values of the type. The default is ``ValueShape/any``.
    static var shape: ValueShape { get }
}

extension ContentValue {
    public static var shape: ValueShape { .any }
}

extension Bool: ContentValue {
    public static var shape: ValueShape { .boolean }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.write(self)
    }
}

extension Int: ContentValue {
    public static var shape: ValueShape { .integer }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.write(self)
    }
}

extension Double: ContentValue {
    public static var shape: ValueShape { .number }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.write(self)
    }
}

extension String: ContentValue {
    public static var shape: ValueShape { .text }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.write(self)
    }
}

/// An enum, or another type with a raw value, is written as its raw value.
extension ContentValue where Self: RawRepresentable, RawValue: ContentValue {
    public static var shape: ValueShape { RawValue.shape }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        rawValue.write(to: &writer)
    }
}

extension ContentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static var shape: ValueShape { .choice(allCases.map(\.rawValue)) }
}

/// `nil` is written as null.
extension Optional: ContentValue where Wrapped: ContentValue {
    public static var shape: ValueShape { .optional(Wrapped.self) }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        if let self {
            self.write(to: &writer)
        } else {
            writer.writeNull()
        }
    }
}

extension Array: ContentValue where Element: ContentValue {
    public static var shape: ValueShape { .list(Element.self) }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.writeArray(self)
    }
}

/// A dictionary is written as an object, with its keys in the order of their UTF-8.
extension Dictionary: ContentValue where Key == String, Value: ContentValue {
    public static var shape: ValueShape { .dictionary(Value.self) }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        // `<` compares normalized strings, so its order depends on the version of Unicode.
        let fields = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        writer.writeObject { writer in
            for (key, value) in fields {
                writer.key(key)
                value.write(to: &writer)
            }
        }
    }
}

/// The JSON form of the values of a type. It refers to elements and fields by Swift types instead of shapes, so that a type can contain
/// itself.
public enum ValueShape: Sendable {
    /// Any JSON value.
    case any
    /// True or false.
    case boolean
    /// A whole number.
    case integer
    /// Any number.
    case number
    /// Any string.
    case text
    /// A string with a date, a time and a time zone, as in RFC 3339.
    case instant
    /// A string that is one of the given strings.
    case choice([String])
    /// A list of values of the given type.
    case list(any ContentValue.Type)
    /// An object with any keys. All values have the given type.
    case dictionary(any ContentValue.Type)
    /// A value of the given type, or null.
    case optional(any ContentValue.Type)
    /// An object with the fields that the given type declares.
    case object(any Content.Type)
}
