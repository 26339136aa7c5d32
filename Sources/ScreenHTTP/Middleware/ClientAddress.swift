public import HTTPServer
import ScreenService

/// A layer that finds the address of a client behind trusted proxies, which the limits per caller count by.
///
/// Where the other end of the connection is a trusted proxy, the client is at the address that the proxy reports in `X-Forwarded-For` or
/// `Forwarded` (RFC 7239): the nearest one that is not trusted, since clients may have written what stands before it.
public struct ClientAddress: Middleware {
    private let proxies: [AddressRange]

    /// - Parameter proxies: the addresses of trusted proxies.
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

    /// A proxy that sets one of the fields may pass on the other as the client has written it. Where both are there and disagree, neither
    /// is believed.
    private func client(of headers: Headers, from peer: NetworkAddress) -> NetworkAddress {
        let usual = headers.list(of: "X-Forwarded-For").map { client(in: ForwardedAddresses(forwardedFor: $0), from: peer) }
        let standard = headers.list(of: "Forwarded").map { client(in: ForwardedAddresses(forwarded: $0), from: peer) }
        guard let client = usual ?? standard, client == standard ?? client else { return peer }
        return client
    }

    /// Returns the nearest address that is not trusted. If the list ends first, or has an element that is not an address, returns the
    /// last trusted address before that.
    private func client(in reported: ForwardedAddresses, from peer: NetworkAddress) -> NetworkAddress {
        var nearest = peer
        for address in reported {
            guard let address else { break }
            nearest = address
            if !isTrusted(address) { break }
        }
        return nearest
    }
}

/// An IP address, or all addresses with the same first bits (RFC 4632): `10.0.0.0/8`, `2001:db8::/32`.
public struct AddressRange: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    private let highMask: UInt64
    private let lowMask: UInt64
    private let isIPv4: Bool

    /// Returns nil where the text is no address, with the number of its fixed bits or without.
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

    func contains(_ address: NetworkAddress) -> Bool {
        // `::/0` has no IPv4 addresses, which only stand among those of IPv6.
        address.isIPv4 == isIPv4 && address.high & highMask == high && address.low & lowMask == low
    }
}
