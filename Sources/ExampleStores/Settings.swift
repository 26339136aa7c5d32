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

/// What the `settings` screen reads and writes within a transaction.
public protocol SettingsTransaction {
    /// The profile of `user`; ``Profile/initial`` where nothing is stored of them.
    func profile(of user: String) throws -> Profile

    /// Stores `profile` as that of `user`, who need not be known before.
    mutating func saveProfile(_ profile: Profile, of user: String) throws
}

extension SettingsTransaction {
    /// Gives `user` another name. Either part may be empty; one that is nil stays.
    public mutating func rename(_ user: String, firstName: String?, familyName: String?) throws {
        try change(user) {
            $0.firstName = firstName ?? $0.firstName
            $0.familyName = familyName ?? $0.familyName
        }
    }

    /// Gives `user` another email address, which is stored as it is.
    public mutating func changeEmail(of user: String, to email: String) throws {
        try change(user) { $0.email = email }
    }

    /// Says whether `user` has a password. It takes no password because none is kept.
    public mutating func setHasPassword(_ hasPassword: Bool, of user: String) throws {
        try change(user) { $0.hasPassword = hasPassword }
    }

    /// Connects the MGEN Connect account of `user`.
    public mutating func connect(_ user: String) throws {
        try change(user) { $0.isConnected = true }
    }

    /// Disconnects the MGEN Connect account of `user`.
    public mutating func disconnect(_ user: String) throws {
        try change(user) { $0.isConnected = false }
    }

    private mutating func change(_ user: String, _ change: (inout Profile) -> Void) throws {
        var profile = try profile(of: user)
        change(&profile)
        try saveProfile(profile, of: user)
    }
}
