/// Writes itself as an object, field by field.
///
/// Everything with named parts is one: cells, headers, and the objects inside them.
public protocol Content: ContentValue {
    /// Writes the fields, each key once, in an order that depends on nothing but the value.
    func writeFields(to content: inout some ContentWriter)
}

extension Content {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        writer.writeObject(self)
    }
}
