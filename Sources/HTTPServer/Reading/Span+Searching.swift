// For requests, each of which is searched: an index of a string's view costs more to move than an offset.
extension Span<UInt8> {
    package func firstIndex(of byte: UInt8) -> Int? {
        indices.first { self[$0] == byte }
    }

    package func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes in bytes.indices.allSatisfy { self[$0] == bytes[$0] } }
    }
}
