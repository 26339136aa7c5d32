import HTTPServer

/// The addresses that a field reports a request to have come from, the nearest first. An element is nil where something else than an
/// address stands.
///
/// A field with more elements than ``limit`` is malformed and reports nothing: a client may send thousands.
struct ForwardedAddresses: Sequence, IteratorProtocol {
    /// The maximum number of elements. Each proxy on the way of a request adds one.
    static let limit = 16

    private enum Field {
        /// The rest of a list with commas.
        case list(Substring.UTF8View?)
        /// Values of `for`, the nearest last.
        case values([String?])
    }

    private var field: Field

    /// - Parameter field: the value of `X-Forwarded-For`.
    init(forwardedFor field: String) {
        let commas = field.utf8.count { $0 == UInt8(ascii: ",") }
        self.field = .list(commas < Self.limit ? field[...].utf8 : nil)
    }

    /// - Parameter field: the value of `Forwarded`. One that is malformed anywhere reports nothing: a client may have begun a quoted
    ///   string before what the proxy has added.
    init(forwarded field: String) {
        self.field = .values(ForwardedField.values(in: field) ?? [])
    }

    mutating func next() -> NetworkAddress?? {
        switch field {
        case .list(let rest):
            guard let rest else { return nil }
            let comma = rest.lastIndex(of: UInt8(ascii: ","))
            field = .list(comma.map { rest[..<$0] })
            return .some(Self.address(String(Preferences.trimmed(Substring(comma.map { rest[$0...].dropFirst() } ?? rest)))))
        case .values(var values):
            guard let value = values.popLast() else { return nil }
            field = .values(values)
            return .some(value.flatMap(Self.address))
        }
    }

    /// Reads an address with a port or without. One of IPv6 with a port stands in brackets.
    private static func address(_ node: String) -> NetworkAddress? {
        if node.utf8.first == UInt8(ascii: "["), let end = node.firstIndex(of: "]") {
            return NetworkAddress(String(node[node.index(after: node.startIndex)..<end]))
        }
        let colons = node.utf8.count { $0 == UInt8(ascii: ":") }
        return NetworkAddress(colons == 1 ? String(node.prefix { $0 != ":" }) : node)
    }
}

/// The grammar of the field `Forwarded` (RFC 7239, section 4).
private struct ForwardedField {
    private let field: Substring.UTF8View
    private var rest: Substring.UTF8View

    private init(_ field: String) {
        self.field = field[...].utf8
        rest = self.field
    }

    /// Returns the value of the parameter `for` in each element, in order: nil in an element without it. Returns nil where the field is
    /// malformed.
    static func values(in field: String) -> [String?]? {
        var reader = ForwardedField(field)
        var values: [String?] = []
        repeat {
            guard values.count < ForwardedAddresses.limit, reader.readElement(into: &values) else { return nil }
        } while reader.take(",")
        return reader.rest.isEmpty ? values : nil
    }

    /// Reads pairs between semicolons, and adds the value of `for`. Returns false where they are malformed or have two of it.
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

    /// Returns the bytes of a token, or those between quotes with their escapes.
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
