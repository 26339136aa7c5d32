import CMicroHTTPD
import Glibc

/// An IPv4 or IPv6 address, without a port.
///
/// An IPv4-mapped IPv6 address (such as `::ffff:192.0.2.1`; RFC 4291, section 2.5.5.2) equals the IPv4 address. A socket that listens on
/// both versions reports the addresses of IPv4 clients as IPv4-mapped IPv6 addresses.
public struct NetworkAddress: Hashable, Sendable {
    /// The first 64 bits of the address. An IPv4 address is stored as an IPv4-mapped IPv6 address.
    package let high: UInt64
    package let low: UInt64

    private init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Parses an IPv4 address in dotted decimals, or an IPv6 address without brackets or a zone. Returns nil for any other text.
    public init?(_ text: String) {
        var (version4, version6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &version4) == 1 {
            self.init(version4)
        } else if inet_pton(AF_INET6, text, &version6) == 1 {
            self.init(version6)
        } else {
            return nil
        }
    }

    init?(_ socketAddress: UnsafePointer<sockaddr>) {
        let bytes = UnsafeRawPointer(socketAddress)
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET: self.init(bytes.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) {
        self.init(high: 0, low: Self.mapping << 32 | UInt64(UInt32(bigEndian: address.s_addr)))
    }

    private init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// The 32 bits that precede the IPv4 address in an IPv4-mapped IPv6 address.
    private static let mapping: UInt64 = 0xFFFF

    /// The part of the address that belongs to one household or host: an IPv4 address itself, or the first 64 bits of an IPv6 address
    /// (RFC 6177).
    package var block: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

    package var isIPv4: Bool { high == 0 && low >> 32 == Self.mapping }
}
