extension SettingsWriting {
    /// Gives `user` another name. Either part may be empty.
    public func rename(_ user: String, firstName: String, familyName: String) throws {
        try change(user) {
            $0.firstName = firstName
            $0.familyName = familyName
        }
    }

    /// Gives `user` another email address, which is stored as it is.
    public func changeEmail(of user: String, to email: String) throws {
        try change(user) { $0.email = email }
    }

    /// Says whether `user` has a password. It takes no password because none is kept.
    public func setHasPassword(_ hasPassword: Bool, of user: String) throws {
        try change(user) { $0.hasPassword = hasPassword }
    }

    /// Connects the MGEN Connect account of `user`.
    public func connect(_ user: String) throws {
        try change(user) { $0.isConnected = true }
    }

    /// Disconnects the MGEN Connect account of `user`.
    public func disconnect(_ user: String) throws {
        try change(user) { $0.isConnected = false }
    }

    private func change(_ user: String, _ change: (inout Profile) -> Void) throws {
        var profile = try profile(of: user)
        change(&profile)
        try saveProfile(profile, of: user)
    }
}
