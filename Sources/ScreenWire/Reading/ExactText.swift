/// A text as a key: two are equal if their bytes are, as it is with all that comes over the wire.
///
/// Strings are equal already when they read the same, such as `é` as one scalar and as two.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: ExactText, b: ExactText) -> Bool {
        var b = b.text
        return b.withUTF8 { a.hasBytes($0) }
    }

    /// Returns a Boolean value that indicates whether the text has these bytes.
    package func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        // With each request: as elements of two sequences they would cost many times as much.
        var text = text
        return text.withUTF8 { text in text.indices.allSatisfy { text[$0] == bytes[$0] } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No byte of UTF-8: where one text ends and the next begins is part of what is hashed.
        hasher.combine(0xFF as UInt8)
    }
}
