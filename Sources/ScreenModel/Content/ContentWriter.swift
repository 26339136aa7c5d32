/// Takes the values that content consists of and gives them a format.
///
/// Content knows nothing of the format; the wire's writer makes JSON bytes of it.
public protocol ContentWriter {
    /// Writes the absence of a value where one has to stand.
    mutating func writeNull()
    mutating func write(_ value: Bool)
    mutating func write(_ value: Int)
    mutating func write(_ value: Double)
    mutating func write(_ value: String)

    /// Writes a list of the elements in their order.
    mutating func writeArray<Element: ContentValue>(_ elements: some Sequence<Element>)

    /// Writes an object with the fields that the content writes.
    mutating func writeObject(_ content: some Content)

    /// Names the next value inside an object.
    mutating func key(_ key: String)
}

extension ContentWriter {
    /// Writes a field of an object.
    @inlinable
    public mutating func field(_ key: String, _ value: some ContentValue) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a field of an object, and leaves it out when the value is nil.
    @inlinable
    public mutating func field<Value: ContentValue>(_ key: String, _ value: Value?) {
        guard let value else { return }
        self.key(key)
        value.write(to: &self)
    }
}
