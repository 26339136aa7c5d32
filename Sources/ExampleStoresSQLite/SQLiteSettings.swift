public import ExampleStores
import GRDB
import ScreenService
public import RelistSQLite

/// What users have set, in SQLite.
public struct SQLiteSettings: SQLiteTables, SettingsTransaction {
    public static let migration = SQLiteMigration(
        SQLiteMigration.first,
        """
        CREATE TABLE profile (
            user TEXT NOT NULL PRIMARY KEY,
            firstName TEXT NOT NULL,
            familyName TEXT NOT NULL,
            email TEXT NOT NULL,
            hasPassword INTEGER NOT NULL,
            isConnected INTEGER NOT NULL
        ) STRICT;
        """
    )

    private let transaction: SQLiteTransaction

    public static func transaction(_ transaction: SQLiteTransaction) -> any SettingsTransaction {
        SQLiteSettings(transaction: transaction)
    }

    public func profile(of user: String) throws -> Profile {
        let profile = try transaction.row(
            of: .settings(of: user),
            "SELECT firstName, familyName, email, hasPassword, isConnected FROM profile WHERE user = ?", [user]
        ) { row in
            try Profile(firstName: row.value(0), familyName: row.value(1), email: row.value(2), hasPassword: row.value(3), isConnected: row.value(4))
        }
        return profile ?? .initial
    }

    public func saveProfile(_ profile: Profile, of user: String) throws {
        // Who has nothing stored reads as the initial profile already.
        if profile == .initial, try self.profile(of: user) == .initial { return }
        try transaction.write(
            """
            INSERT INTO profile (user, firstName, familyName, email, hasPassword, isConnected)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (user) DO UPDATE SET
                firstName = excluded.firstName, familyName = excluded.familyName, email = excluded.email,
                hasPassword = excluded.hasPassword, isConnected = excluded.isConnected
            WHERE (firstName, familyName, email, hasPassword, isConnected) IS NOT
                (excluded.firstName, excluded.familyName, excluded.email, excluded.hasPassword, excluded.isConnected)
            """,
            [user, profile.firstName, profile.familyName, profile.email, profile.hasPassword, profile.isConnected],
            announcing: [.settings(of: user)]
        )
    }
}

extension Topic {
    fileprivate static func settings(of user: String) -> Topic { Topic("settings/" + user) }
}
