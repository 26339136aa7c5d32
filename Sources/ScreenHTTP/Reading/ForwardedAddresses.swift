import HTTPServer

/// The addresses that a field reports a request to have come from, the nearest first. An element is nil where something else than an
/// address stands.
struct ForwardedAddresses: Sequence, IteratorProtocol {
    private enum Field {
        /// The rest of a list with commas.
        case list(Substring.UTF8View?)
        /// Values of `for`, the nearest last.
        case values([String?])
    }

    private var field: Field

    /// - Parameter field: the value of `X-Forwarded-For`.
    init(forwardedFor field: String) {
        self.field = .list(field[...].utf8)
    }

    /// - Parameter field: the value of `Forwarded`. One that is malformed anywhere reports nothing: a client may have begun a quoted
    ///   string before what the proxy has added.
    init(forwarded field: String) {
        self.field = .values(ForwardedField.values(of: "for", in: field) ?? [])
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
    private var rest: Substring.UTF8View

    /// The value of a parameter in each element, in order: nil in an element without it. Returns nil where the field is malformed.
    static func values(of name: String, in field: String) -> [String?]? {
        var reader = ForwardedField(rest: field[...].utf8)
        var values: [String?] = []
        repeat {
            guard let element = reader.element() else { return nil }
            values.append(element[name])
        } while reader.take(",")
        return reader.rest.isEmpty ? values : nil
    }

    /// Reads pairs between semicolons, each name once.
    private mutating func element() -> [String: String]? {
        var pairs: [String: String] = [:]
        repeat {
            skipBlanks()
            let name = String(takeToken()).lowercased()
            if !name.isEmpty {
                guard take("="), let value = value(), pairs.updateValue(value, forKey: name) == nil else { return nil }
            }
            skipBlanks()
        } while take(";")
        return pairs
    }

    private mutating func value() -> String? {
        guard take("\"") else {
            let token = takeToken()
            return token.isEmpty ? nil : String(token)
        }
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            guard let character = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte else { return nil }
            value.append(character)
        }
        return nil
    }

    private mutating func takeToken() -> Substring {
        let token = rest.prefix { !Self.separators.contains($0) }
        rest = rest[token.endIndex...]
        return Substring(token)
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
