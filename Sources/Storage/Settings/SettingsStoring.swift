/// Reads what users have set.
public protocol SettingsReading {
    /// The profile of `user`; ``Profile/initial`` where nothing is stored of them.
    func profile(of user: String) throws -> Profile
}

/// Writes what users set.
public protocol SettingsWriting: SettingsReading {
    /// Keeps `profile` as that of `user`, who need not be known before.
    func saveProfile(_ profile: Profile, of user: String) throws
}
