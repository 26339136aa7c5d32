import ScreenWire

/// The party that a limit per caller counts: a verified user, or a network address.
public struct LimitKey: Hashable, Sendable {
    // Not one text for both: to join a prefix to the id would allocate with each request.
    private enum Party: Hashable {
        case unknown
        case user(ExactText)
        case address(high: UInt64, low: UInt64)
    }

    private let party: Party

    /// Requests that come from within the process, or whose address is not known.
    public static let unknown = LimitKey(party: .unknown)

    /// A user that a verified token names. Ids are compared by their bytes.
    public static func user(_ id: String) -> LimitKey {
        LimitKey(party: .user(ExactText(id)))
    }

    /// A network address. Of an IPv6 address only the first 64 bits count, since one household or host usually has all
    /// addresses that begin with these (RFC 6177).
    ///
    /// - Parameters:
    ///   - high: the first 64 bits of an IPv6 address; 0 for IPv4.
    ///   - low: the last 64 bits of an IPv4 address in its mapped form (`::ffff:192.0.2.1`); 0 for IPv6.
    public static func address(high: UInt64, low: UInt64) -> LimitKey {
        LimitKey(party: .address(high: high, low: low))
    }
}
