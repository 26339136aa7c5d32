/// Writes itself as one value: a scalar, a list or an object.
///
/// Cells state their content in such values; the writer that they are given decides on the
/// format. Equal values write the same, always and everywhere.
public protocol ContentValue: Sendable {
    /// Writes exactly one value.
    func write(to writer: inout some ContentWriter)
}

/// An enum or another type with a raw value writes that.
extension ContentValue where Self: RawRepresentable, RawValue: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        rawValue.write(to: &writer)
    }
}
