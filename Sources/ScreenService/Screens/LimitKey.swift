import ScreenWire

/// The key that identifies a caller for limits per caller: a verified user or a network address.
public struct LimitKey: Hashable, Sendable {
    // The key is not a string, because a string would need an allocation for each request.
    private enum Party: Hashable {
        case unknown
        case user(ExactText)
        case address(high: UInt64, low: UInt64)
    }

    private let party: Party

    /// The key of requests from within the process or from an unknown address.
    public static let unknown = LimitKey(party: .unknown)

    /// Returns the key of a verified user. User ids are compared by their bytes.
    public static func user(_ id: String) -> LimitKey {
        LimitKey(party: .user(ExactText(id)))
    }

    /// Returns the key of a network address. Only the first 64 bits of an IPv6 address are used, because a household or host usually has
    /// all addresses with this prefix (RFC 6177).
    ///
    /// - Parameters:
    ///   - high: The first 64 bits of an IPv6 address, or 0 for IPv4.
    ///   - low: The last 64 bits of an IPv4 address in its mapped form (`::ffff:192.0.2.1`), or 0 for IPv6.
    public static func address(high: UInt64, low: UInt64) -> LimitKey {
        LimitKey(party: .address(high: high, low: low))
    }

    /// A Boolean value that indicates whether this is the key of an unknown caller.
    package var isUnknown: Bool { if case .unknown = party { true } else { false } }

    /// The bytes of the key, which differ for different keys; `nil` for an unknown caller.
    var hashedBytes: [UInt8]? {
        switch party {
        case .unknown: nil
        case .user(let id): [0] + id.text.utf8
        case .address(let high, let low): [1] + withUnsafeBytes(of: (high.littleEndian, low.littleEndian)) { Array($0) }
        }
    }
}
