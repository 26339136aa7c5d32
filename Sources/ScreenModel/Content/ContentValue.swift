/// A value that content consists of: a scalar, a list or an object.
///
/// Equal values write the same bytes, always and everywhere; of texts only those that have the same UTF-8, as one that
/// Unicode takes for equal is written as it is.
public protocol ContentValue: Sendable {
    /// Writes exactly one value.
    func write(to writer: inout JSONWriter)

    /// The form that all values of the type have in JSON, for descriptions of what is written. A type that writes itself in
    /// its own way says it; by default ``ValueShape/any``.
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

/// An enum or another type with a raw value writes that.
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

/// Nil is written as null.
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

/// A dictionary is an object whose keys are written in the order of their UTF-8.
extension Dictionary: ContentValue where Key == String, Value: ContentValue {
    public static var shape: ValueShape { .dictionary(Value.self) }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        // `<` of String compares normalised text, whose order follows the Unicode tables in use.
        let fields = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        writer.writeObject { writer in
            for (key, value) in fields {
                writer.key(key)
                value.write(to: &writer)
            }
        }
    }
}

/// The form that the values of a type have in JSON, as a description of them needs it.
///
/// It is known without a value. What it is made of is named by types, so that a type may be part of itself.
public enum ValueShape: Sendable {
    /// Any JSON value: the type does not say which.
    case any
    case boolean
    /// A whole number.
    case integer
    case number
    case text
    /// One of these texts.
    case choice([String])
    /// A list of values of this type.
    case list(any ContentValue.Type)
    /// An object with any keys, whose values are of this type.
    case dictionary(any ContentValue.Type)
    /// A value of this type, or null.
    case optional(any ContentValue.Type)
    /// An object with the fields that this type declares.
    case object(any Content.Type)
}
