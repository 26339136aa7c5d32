extension Bool: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        writer.write(self)
    }
}

extension Int: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        writer.write(self)
    }
}

extension Double: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        writer.write(self)
    }
}

extension String: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        writer.write(self)
    }
}

/// Nil is written as null.
extension Optional: ContentValue where Wrapped: ContentValue {
    @inlinable
    public func write(to writer: inout some ContentWriter) {
        if let self {
            self.write(to: &writer)
        } else {
            writer.writeNull()
        }
    }
}
