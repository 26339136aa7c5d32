import HTTPServer

/// The addresses in `X-Forwarded-For` and `Forwarded`. Each proxy appends the address from which it received the request, so the nearest
/// proxy has added the last element.
enum ForwardedAddresses {
    /// The maximum number of elements of a field. A longer field is treated as empty, because a client can send thousands of elements.
    static let limit = 16

    /// Returns the elements of `X-Forwarded-For` in order.
    static func elements(forwardedFor field: String) -> [String?] {
        guard field.utf8.count(where: { $0 == UInt8(ascii: ",") }) < limit else { return [] }
        return field.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            String(Preferences.trimmed(Substring($0)))
        }
    }

    /// Returns the value of `for` in each element of `Forwarded`; nil for an element without `for`.
    ///
    /// A malformed field is treated as empty. Otherwise a client could send the beginning of a quoted string, and the element that the
    /// proxy appends would be read as a part of this string.
    static func elements(forwarded field: String) -> [String?] {
        ForwardedField.values(in: field) ?? []
    }

    /// Parses an address with or without a port. An IPv6 address with a port must be in brackets.
    static func address(_ node: String) -> NetworkAddress? {
        if node.utf8.first == UInt8(ascii: "["), let end = node.firstIndex(of: "]") {
            return NetworkAddress(String(node[node.index(after: node.startIndex)..<end]))
        }
        let colons = node.utf8.count { $0 == UInt8(ascii: ":") }
        return NetworkAddress(colons == 1 ? String(node.prefix { $0 != ":" }) : node)
    }
}

/// A parser of the field `Forwarded` (RFC 7239, section 4).
private struct ForwardedField {
    private let field: Substring.UTF8View
    private var rest: Substring.UTF8View

    private init(_ field: String) {
        self.field = field[...].utf8
        rest = self.field
    }

    /// Returns the value of `for` in each element of the field `Forwarded`. Returns nil if the field is malformed or has too many elements.
    static func values(in field: String) -> [String?]? {
        var reader = ForwardedField(field)
        var values: [String?] = []
        repeat {
            guard values.count < ForwardedAddresses.limit, reader.readElement(into: &values) else { return nil }
        } while reader.take(",")
        return reader.rest.isEmpty ? values : nil
    }

    /// Parses an element, and appends its value of `for`. Returns false if the element is malformed, or if `for` occurs twice.
    private mutating func readElement(into values: inout [String?]) -> Bool {
        var node: String?
        repeat {
            skipBlanks()
            let name = takeToken()
            if !name.isEmpty {
                guard take("="), let value = value() else { return false }
                if name.elementsEqual("for".utf8, by: { $0 | 0x20 == $1 }) {
                    guard node == nil else { return false }
                    node = unescaped(value)
                }
            }
            skipBlanks()
        } while take(";")
        values.append(node)
        return true
    }

    /// Reads a token or a quoted string, and returns its bytes. Escapes in a quoted string are kept. Returns nil if the value is malformed.
    private mutating func value() -> Substring.UTF8View? {
        guard take("\"") else {
            let token = takeToken()
            return token.isEmpty ? nil : token
        }
        let start = rest.startIndex
        while let byte = rest.first {
            if byte == UInt8(ascii: "\"") {
                let value = field[start..<rest.startIndex]
                rest.removeFirst()
                return value
            }
            rest.removeFirst()
            if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return nil }
        }
        return nil
    }

    private func unescaped(_ value: Substring.UTF8View) -> String {
        guard value.contains(UInt8(ascii: "\\")) else { return String(Substring(value)) }
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() { bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func takeToken() -> Substring.UTF8View {
        let token = rest.prefix { !Self.separators.contains($0) }
        rest = rest[token.endIndex...]
        return token
    }

    private static let separators = Array(" \t,;=\"".utf8)

    private mutating func skipBlanks() {
        while take(" ") || take("\t") {}
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}
