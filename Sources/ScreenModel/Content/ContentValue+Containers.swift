extension Array: ContentValue where Element: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        writer.writeArray(self)
    }
}

extension Dictionary: ContentValue where Key == String, Value: ContentValue {}

/// A dictionary is an object whose keys are written in the order of their UTF-8.
extension Dictionary: Content where Key == String, Value: ContentValue {
    @inlinable
    public func writeFields(to content: inout some ContentWriter) {
        // `<` of String compares normalised text, whose order follows the Unicode tables in use.
        let fields = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (key, value) in fields {
            content.key(key)
            value.write(to: &content)
        }
    }
}
