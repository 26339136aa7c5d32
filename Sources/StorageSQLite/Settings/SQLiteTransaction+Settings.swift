import GRDB
import Storage

extension SQLiteTransaction: SettingsWriting {
    func profile(of user: String) throws -> Profile {
        noteRead(.profile(user: user))
        return try storedProfile(of: user) ?? .initial
    }

    func saveProfile(_ profile: Profile, of user: String) throws {
        guard try !profile.isSame(as: storedProfile(of: user) ?? .initial) else { return }
        try write(
            """
            INSERT INTO profile (user, firstName, familyName, email, hasPassword, isConnected)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (user) DO UPDATE SET
                firstName = excluded.firstName, familyName = excluded.familyName, email = excluded.email,
                hasPassword = excluded.hasPassword, isConnected = excluded.isConnected
            """,
            [
                Text(user), Text(profile.firstName), Text(profile.familyName), Text(profile.email),
                profile.hasPassword, profile.isConnected,
            ]
        )
        noteWrite(.profile(user: user))
    }

    private func storedProfile(of user: String) throws -> Profile? {
        try row(
            "SELECT firstName, familyName, email, hasPassword, isConnected FROM profile WHERE user = ?",
            [Text(user)]
        ) { row in
            Profile(firstName: row[0], familyName: row[1], email: row[2], hasPassword: row[3], isConnected: row[4])
        }
    }
}

extension Profile {
    /// Whether nothing would change. Texts of other bytes can be equal: the same word with its accents written otherwise.
    fileprivate func isSame(as other: Profile) -> Bool {
        self == other && texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    private var texts: [String] { [firstName, familyName, email] }
}
