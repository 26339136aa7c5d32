public import HTTPServer
import ScreenService

/// A layer that finds the address of a client behind trusted proxies. The limits per caller use this address.
///
/// If the peer of the connection is a trusted proxy, the client's address is taken from `X-Forwarded-For` or `Forwarded` (RFC 7239). It is
/// the last address in the list that is not trusted, because the client may have written all earlier addresses.
public struct ClientAddress: Middleware {
    private let proxies: [AddressRange]

    /// Creates a layer that trusts the proxies in the given ranges.
    public init(behind proxies: [AddressRange]) {
        self.proxies = proxies
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        if let peer = context.request.peer, isTrusted(peer) {
            context.clientAddress = client(of: context.request.headers, from: peer)
        }
        return next(context)
    }

    private func isTrusted(_ address: NetworkAddress) -> Bool {
        proxies.contains { $0.contains(address) }
    }

    /// Returns the address of the client. If `X-Forwarded-For` and `Forwarded` state different addresses, both fields are ignored, because
    /// a proxy may set one and pass on the other.
    private func client(of headers: Headers, from peer: NetworkAddress) -> NetworkAddress {
        let usual = headers.list(of: "X-Forwarded-For").map { client(in: ForwardedAddresses.elements(forwardedFor: $0), from: peer) }
        let standard = headers.list(of: "Forwarded").map { client(in: ForwardedAddresses.elements(forwarded: $0), from: peer) }
        guard let client = usual ?? standard, client == standard ?? client else { return peer }
        return client
    }

    /// Reads `elements` in reverse order, and returns the first address that is not a trusted proxy. If an element is not an address, or if
    /// no element remains, returns the address that was read last, or `peer` if no address was read.
    private func client(in elements: [String?], from peer: NetworkAddress) -> NetworkAddress {
        var nearest = peer
        for element in elements.reversed() {
            guard let address = element.flatMap(ForwardedAddresses.address) else { break }
            nearest = address
            if !isTrusted(address) { break }
        }
        return nearest
    }
}

/// An IP address, or a block of addresses in CIDR notation (RFC 4632), such as `10.0.0.0/8` or `2001:db8::/32`.
public struct AddressRange: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    private let highMask: UInt64
    private let lowMask: UInt64
    private let isIPv4: Bool

    /// Parses an address with or without a prefix length. Returns nil if the text is invalid.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(String(parts[0])) else { return nil }
        let length = parts[0].contains(":") ? 128 : 32
        guard let given = parts.count == 1 ? length : Self.number(parts[1]), given <= length else { return nil }
        let bits = 128 - length + given
        isIPv4 = address.isIPv4 && bits >= 96
        highMask = .max << UInt64(max(64 - bits, 0))
        lowMask = .max << UInt64(min(128 - bits, 64))
        (high, low) = (address.high & highMask, address.low & lowMask)
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(digits) : nil
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        // `::/0` does not contain IPv4 addresses, although they are represented as IPv6.
        address.isIPv4 == isIPv4 && address.high & highMask == high && address.low & lowMask == low
    }
}
