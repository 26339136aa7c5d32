/// A string that is compared and hashed by its UTF-8, like all strings on the wire. In contrast, `==` of `String` is also true for
/// canonically equivalent strings, in which `é` can be one or two Unicode scalars.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: ExactText, b: ExactText) -> Bool {
        var b = b.text
        return b.withUTF8 { a.hasBytes($0) }
    }

    package func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        // This code runs in each request, and `elementsEqual` would take many times as long.
        var text = text
        return text.withUTF8 { text in text.indices.allSatisfy { text[$0] == bytes[$0] } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // This byte does not occur in UTF-8, so it separates consecutive strings.
        hasher.combine(0xFF as UInt8)
    }
}
