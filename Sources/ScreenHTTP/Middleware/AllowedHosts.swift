public import HTTPServer

/// A layer that rejects requests for unknown host names with a 421 (RFC 9110, section 15.5.20).
///
/// The layer prevents DNS rebinding, which is an attack on servers that trust all their clients. In this attack, the host name of a foreign
/// web page resolves to this server, so that the browser treats the page and the server as one origin. `localhost`, its subdomains (RFC
/// 6761, section 6.3) and IP addresses are always allowed, with any port, because an attacker cannot make them refer to another server. The
/// layer must be the outermost, so that no other layer responds before it.
public struct AllowedHosts: Middleware, Hashable {
    /// An additional host name that is allowed.
    public struct Name: Hashable, Sendable {
        /// The name in lower case, without a dot at the end.
        let bytes: [UInt8]

        /// Creates a name from a text. Returns nil if the text is not a host name, for example because it has a scheme, a port or a
        /// path.
        public init?(_ text: String) {
            let bytes = text.utf8.map(\.lowercased)
            guard text.wholeMatch(of: /(?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+\.?/) != nil, bytes.count <= 254 else { return nil }
            self.bytes = bytes.last == UInt8(ascii: ".") ? Array(bytes.dropLast()) : bytes
        }

        fileprivate func matches(_ host: Span<UInt8>) -> Bool {
            host.count == bytes.count && host.ends(with: bytes)
        }
    }

    private let names: [Name]

    public init(_ names: [Name] = []) {
        self.names = names
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        guard Self.lacksHost(context.request.refusal) || context.request.namesHost(isAllowed) else {
            let detail = "This host is not allowed. Use localhost or an IP address, or start the server with --allow-host and the name."
            return context.rejected(by: Problem(kind: .misdirected, detail: detail))
        }
        return next(context)
    }

    /// Returns a Boolean value that indicates whether the `Host` field is missing, repeated or invalid. The response to such a request is
    /// a 400 (RFC 9112, section 3.2), not a 421.
    private static func lacksHost(_ refusal: Refusal?) -> Bool {
        switch refusal {
        case .host, .hostName: true
        default: false
        }
    }

    /// Returns a Boolean value that indicates whether a host is allowed. The bytes are compared, because converting them to a string would
    /// slow down every request.
    private func isAllowed(_ authority: Span<UInt8>) -> Bool {
        let host = authority.extracting(0..<Self.hostEnd(in: authority))
        return host.isIPv4Address || host.isLocalName || names.contains { $0.matches(host) } || host.isIPv6Literal
    }

    /// Returns the end index of the host name. The port and a dot at the end of the name are excluded.
    private static func hostEnd(in authority: Span<UInt8>) -> Int {
        var end = authority.count
        while end > 0, authority[end - 1].isDigit { end -= 1 }
        end = end > 0 && authority[end - 1] == UInt8(ascii: ":") ? end - 1 : authority.count
        return end > 0 && authority[end - 1] == UInt8(ascii: ".") ? end - 1 : end
    }
}

private let localhost = Array("localhost".utf8)

extension Span<UInt8> {
    fileprivate var isLocalName: Bool {
        let dot = count - localhost.count - 1
        return (dot == -1 || dot > 0 && self[dot] == UInt8(ascii: ".")) && ends(with: localhost)
    }

    /// A Boolean value that indicates whether the bytes are an IPv4 address (RFC 3986, section 3.2.2).
    fileprivate var isIPv4Address: Bool {
        var (dots, digits, number) = (0, 0, 0)
        for index in indices {
            let byte = self[index]
            if byte.isDigit {
                // Leading zeros are invalid, because some systems read such numbers as octal.
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

    fileprivate var isIPv6Literal: Bool {
        guard count > 2, self[0] == UInt8(ascii: "["), self[count - 1] == UInt8(ascii: "]") else { return false }
        let text = String(decoding: (1..<count - 1).map { self[$0] }, as: UTF8.self)
        return text.utf8.contains(UInt8(ascii: ":")) && NetworkAddress(text) != nil
    }

    /// Returns a Boolean value that indicates whether the bytes end with a lower-case suffix, ignoring the case of ASCII letters.
    fileprivate func ends(with suffix: [UInt8]) -> Bool {
        let start = count - suffix.count
        return start >= 0 && suffix.indices.allSatisfy { self[start + $0].lowercased == suffix[$0] }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    fileprivate var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}
