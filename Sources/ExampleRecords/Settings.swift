public import ScreenService

/// The settings of a user about themselves; the `settings` screen shows it.
public struct Profile: Hashable, Sendable {
    /// Empty while it has not been given.
    public var firstName: String
    /// Empty while it has not been given.
    public var familyName: String
    public var email: String
    /// A Boolean value that indicates whether there is a password. The password itself is never stored: nothing here checks one.
    public var hasPassword: Bool
    /// A Boolean value that indicates whether an MGEN Connect account is connected.
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

/// A transaction on what users have set.
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

    /// The profile of `user`; ``Profile/initial`` where nothing is stored of them.
    public func profile(of user: String) throws -> Profile {
        let profile = try records.row(
            of: .settings(of: user),
            "SELECT first_name, family_name, email, has_password, is_connected FROM profile WHERE user_id = $1", [user]
        ) { row in
            try Profile(firstName: row[0], familyName: row[1], email: row[2], hasPassword: row[3], isConnected: row[4])
        }
        return profile ?? .initial
    }

    /// Stores `profile` as that of `user`, who need not be known before.
    public mutating func saveProfile(_ profile: Profile, of user: String) throws {
        // A user of whom nothing is stored reads as the initial profile already.
        if profile == .initial, try self.profile(of: user) == .initial { return }
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
