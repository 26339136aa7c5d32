/// What a user has set about themselves; the `settings` screen shows it.
public struct Profile: Hashable, Sendable {
    /// Empty while it has not been given.
    public var firstName: String
    /// Empty while it has not been given.
    public var familyName: String
    public var email: String
    /// Whether there is a password. The password itself is never stored: nothing here checks one.
    public var hasPassword: Bool
    /// Whether an MGEN Connect account is connected.
    public var isConnected: Bool

    public init(firstName: String, familyName: String, email: String, hasPassword: Bool, isConnected: Bool) {
        self.firstName = firstName
        self.familyName = familyName
        self.email = email
        self.hasPassword = hasPassword
        self.isConnected = isConnected
    }

    /// The profile of a user of whom nothing is stored.
    public static let initial = Profile(
        firstName: "",
        familyName: "",
        email: "hodor@hodor.hodor",
        hasPassword: true,
        isConnected: false
    )
}
