public import ExampleStores
public import RelistPostgres
import ScreenService

/// What users have set, in PostgreSQL.
public struct PostgresSettings: PostgresTables, SettingsTransaction {
    public static let migration = PostgresMigration(
        "settings",
        """
        CREATE TABLE example.profile (
            user_id text NOT NULL PRIMARY KEY,
            first_name text NOT NULL,
            family_name text NOT NULL,
            email text NOT NULL,
            has_password boolean NOT NULL,
            is_connected boolean NOT NULL
        );
        """
    )

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any SettingsTransaction {
        PostgresSettings(transaction: transaction)
    }

    public func profile(of user: String) throws -> Profile {
        let profile = try transaction.row(
            of: .settings(of: user),
            "SELECT first_name, family_name, email, has_password, is_connected FROM example.profile WHERE user_id = $1", [user]
        ) { row in
            try Profile(firstName: row[0], familyName: row[1], email: row[2], hasPassword: row[3], isConnected: row[4])
        }
        return profile ?? .initial
    }

    public func saveProfile(_ profile: Profile, of user: String) throws {
        // Who has nothing stored reads as the initial profile already.
        if profile == .initial, try self.profile(of: user) == .initial { return }
        try transaction.write(
            """
            INSERT INTO example.profile AS kept VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (user_id) DO UPDATE SET
                first_name = excluded.first_name, family_name = excluded.family_name, email = excluded.email,
                has_password = excluded.has_password, is_connected = excluded.is_connected
            WHERE kept IS DISTINCT FROM excluded
            """,
            [user, profile.firstName, profile.familyName, profile.email, profile.hasPassword, profile.isConnected],
            announcing: [.settings(of: user)]
        )
    }
}

extension Topic {
    fileprivate static func settings(of user: String) -> Topic { Topic("settings/" + user) }
}
