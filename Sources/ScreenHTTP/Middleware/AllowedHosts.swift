public import HTTPServer

/// A layer that refuses requests for hosts whose names a stranger may control, with 421 (RFC 9110, section 15.5.20).
///
/// It protects servers that trust all their clients from DNS rebinding: a web page elsewhere points its own name at this server, and the
/// browser then takes both for one origin. `localhost`, names below it (RFC 6761, section 6.3) and IP addresses are always allowed, with
/// any port, since a stranger does not control where these lead. The layer belongs outermost, so that nothing else is answered.
public struct AllowedHosts: Middleware, Hashable {
    /// A host name that is allowed as well.
    public struct Name: Hashable, Sendable {
        /// In lower case, without a dot at the end.
        let bytes: [UInt8]

        /// Returns nil where the text is no host name, such as one with a scheme, a port or a path.
        public init?(_ text: String) {
            let bytes = text.utf8.map(\.lowercased)
            guard text.wholeMatch(of: /(?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+\.?/) != nil, bytes.count <= 254 else { return nil }
            self.bytes = bytes.last == UInt8(ascii: ".") ? Array(bytes.dropLast()) : bytes
        }

        fileprivate func isMeant(by host: Span<UInt8>) -> Bool {
            host.count == bytes.count && host.ends(with: bytes)
        }
    }

    private let names: [Name]

    public init(_ names: [Name] = []) {
        self.names = names
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        guard Self.lacksHost(context.request.refusal) || context.request.namesHost(isAllowed) else {
            let detail = "Requests for this host are not answered. Use localhost or an IP address, or start the server with --allow-host and the name."
            return context.refused(by: Problem(kind: .misdirected, detail: detail))
        }
        return next(context)
    }

    /// Returns whether the server refuses a request because of its field `Host`. That is a 400 (RFC 9112, section 3.2).
    private static func lacksHost(_ refusal: Refusal?) -> Bool {
        switch refusal {
        case .host, .hostName: true
        default: false
        }
    }

    /// - Parameter authority: a host, with a port or without. It is read as bytes, since every request has one.
    private func isAllowed(_ authority: Span<UInt8>) -> Bool {
        let host = authority.extracting(0..<Self.hostEnd(in: authority))
        return host.isIPv4Address || host.isLocalName || names.contains { $0.isMeant(by: host) } || host.isIPv6Literal
    }

    /// Returns where the host ends: before a port, and before the dot that may end a name.
    private static func hostEnd(in authority: Span<UInt8>) -> Int {
        var end = authority.count
        while end > 0, authority[end - 1].isDigit { end -= 1 }
        end = end > 0 && authority[end - 1] == UInt8(ascii: ":") ? end - 1 : authority.count
        return end > 0 && authority[end - 1] == UInt8(ascii: ".") ? end - 1 : end
    }
}

private let localhost = Array("localhost".utf8)

extension Span<UInt8> {
    /// `localhost`, or a name below it.
    fileprivate var isLocalName: Bool {
        let dot = count - localhost.count - 1
        return (dot == -1 || dot > 0 && self[dot] == UInt8(ascii: ".")) && ends(with: localhost)
    }

    /// Four decimal numbers, as RFC 3986, section 3.2.2 has them.
    fileprivate var isIPv4Address: Bool {
        var (dots, digits, number) = (0, 0, 0)
        for index in indices {
            let byte = self[index]
            if byte.isDigit {
                // No number begins with a zero but 0: some systems read such a one as octal.
                guard digits == 0 || number > 0 else { return false }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
                guard number <= 255 else { return false }
            } else {
                guard byte == UInt8(ascii: "."), digits > 0, dots < 3 else { return false }
                (dots, digits, number) = (dots + 1, 0, 0)
            }
        }
        return dots == 3 && digits > 0
    }

    /// An IPv6 address in brackets.
    fileprivate var isIPv6Literal: Bool {
        guard count > 2, self[0] == UInt8(ascii: "["), self[count - 1] == UInt8(ascii: "]") else { return false }
        let text = String(decoding: (1..<count - 1).map { self[$0] }, as: UTF8.self)
        return text.utf8.contains(UInt8(ascii: ":")) && NetworkAddress(text) != nil
    }

    /// - Parameter suffix: in lower case.
    fileprivate func ends(with suffix: [UInt8]) -> Bool {
        let start = count - suffix.count
        return start >= 0 && suffix.indices.allSatisfy { self[start + $0].lowercased == suffix[$0] }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    fileprivate var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}
