public import ScreenService

/// The personal settings of a user. The `settings` screen shows them.
public struct Profile: Hashable, Sendable {
    public var firstName = ""
    public var familyName = ""
    public var email = "hodor@hodor.hodor"
    /// A Boolean value that indicates whether a password is set. The password itself is not stored, because nothing checks it.
    public var hasPassword = true
    /// A Boolean value that indicates whether an MGEN Connect account is connected.
    public var isConnected = false

    /// The initial profile, for users that have no stored profile.
    public static let initial = Profile()
}

/// A transaction on the profiles of users.
public struct SettingsTransaction: ExampleTransaction {
    public static let sqlite = [
        RecordMigration(
            Examples.firstStep,
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
        ),
        RecordMigration(
            "settings names",
            """
            ALTER TABLE profile RENAME COLUMN user TO user_id;
            ALTER TABLE profile RENAME COLUMN firstName TO first_name;
            ALTER TABLE profile RENAME COLUMN familyName TO family_name;
            ALTER TABLE profile RENAME COLUMN hasPassword TO has_password;
            ALTER TABLE profile RENAME COLUMN isConnected TO is_connected;
            """
        ),
    ]
    public static let postgres = [
        RecordMigration(
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
    ]

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// Returns the profile of `user`, or ``Profile/initial`` if none is stored.
    public func profile(of user: String) throws -> Profile {
        let sql = "SELECT first_name, family_name, email, has_password, is_connected FROM profile WHERE user_id = $1"
        return try records.row(of: .settings(of: user), sql, [user]) { row in
            try Profile(firstName: row[0], familyName: row[1], email: row[2], hasPassword: row[3], isConnected: row[4])
        } ?? .initial
    }

    /// Changes the profile of `user`.
    public mutating func changeProfile(of user: String, _ change: (inout Profile) -> Void) throws {
        let old = try profile(of: user)
        var profile = old
        change(&profile)
        // If the profile was initial and stays initial, nothing is stored. In all other cases, the statement below finds out whether the
        // profile has changed. It compares bytes, because the operator `==` treats some texts with different bytes as equal.
        if old == .initial, profile == .initial { return }
        try records.write(
            """
            INSERT INTO profile VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (user_id) DO UPDATE SET
                first_name = excluded.first_name, family_name = excluded.family_name, email = excluded.email,
                has_password = excluded.has_password, is_connected = excluded.is_connected
            WHERE (profile.first_name, profile.family_name, profile.email, profile.has_password, profile.is_connected)
                <> (excluded.first_name, excluded.family_name, excluded.email, excluded.has_password, excluded.is_connected)
            """,
            [user, profile.firstName, profile.familyName, profile.email, profile.hasPassword, profile.isConnected],
            announcing: [.settings(of: user)]
        )
    }
}

extension Topic {
    fileprivate static func settings(of user: String) -> Topic { Topic("settings/" + user) }
}
