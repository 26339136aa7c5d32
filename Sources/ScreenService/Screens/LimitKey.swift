import ScreenWire

/// The party that a limit per caller counts: a verified user, or a network address.
public struct LimitKey: Hashable, Sendable {
    // Not one text for both: to join a prefix to the id would allocate with each request.
    private enum Party: Hashable {
        case unknown
        case user(ExactText)
        case address(ExactText)
    }

    private let party: Party

    /// Requests that come from within the process, or whose address is not known.
    public static let unknown = LimitKey(party: .unknown)

    /// A user that a verified token names. Ids are compared by their bytes.
    public static func user(_ id: String) -> LimitKey {
        LimitKey(party: .user(ExactText(id)))
    }

    /// A network address.
    ///
    /// - Parameter prefix: an IPv4 address, or the first 64 bits of an IPv6 address, since one household or host usually has
    ///   all of these (RFC 6177).
    public static func address(_ prefix: String) -> LimitKey {
        LimitKey(party: .address(ExactText(prefix)))
    }
}
