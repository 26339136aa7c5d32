import GRDB
import Storage

extension SQLiteTransaction: SettingsWriting {
    func profile(of user: String) throws -> Profile {
        noteRead(.profile(user: user))
        return try storedProfile(of: user) ?? .initial
    }

    func saveProfile(_ profile: Profile, of user: String) throws {
        guard try profile != storedProfile(of: user) ?? .initial else { return }
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
