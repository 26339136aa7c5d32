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
