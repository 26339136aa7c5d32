public import ScreenService

/// The wireless settings of a user. The `wifi` screen shows them.
public struct WiFiSettings: Hashable, Sendable {
    public var isOn = true
    /// The id of the joined network, which may be out of range.
    public var joinedNetwork: String?

    /// The initial settings, for users that have no stored settings.
    public static let initial = WiFiSettings()
}

/// A transaction on the wireless settings of users.
public struct WiFiTransaction: ExampleTransaction {
    public static let sqlite = [
        RecordMigration(
            "wifi",
            """
            CREATE TABLE wifi (
                user TEXT NOT NULL PRIMARY KEY,
                isOn INTEGER NOT NULL,
                joinedNetwork TEXT
            ) STRICT;
            """
        ),
        RecordMigration(
            "wifi names",
            """
            ALTER TABLE wifi RENAME COLUMN user TO user_id;
            ALTER TABLE wifi RENAME COLUMN isOn TO is_on;
            ALTER TABLE wifi RENAME COLUMN joinedNetwork TO joined_network;
            """
        ),
    ]
    public static let postgres = [
        RecordMigration(
            "wifi",
            """
            CREATE TABLE example.wifi (
                user_id text NOT NULL PRIMARY KEY,
                is_on boolean NOT NULL,
                joined_network text
            );
            """
        )
    ]

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// Returns the settings of `user`, or ``WiFiSettings/initial`` if none are stored.
    public func wifiSettings(of user: String) throws -> WiFiSettings {
        let sql = "SELECT is_on, joined_network FROM wifi WHERE user_id = $1"
        return try records.row(of: .wifi(of: user), sql, [user]) { try WiFiSettings(isOn: $0[0], joinedNetwork: $0[1]) } ?? .initial
    }

    /// Changes the settings of `user`.
    public mutating func changeWiFiSettings(of user: String, _ change: (inout WiFiSettings) throws -> Void) throws {
        let old = try wifiSettings(of: user)
        var settings = old
        try change(&settings)
        guard settings != old else { return }
        try records.write(
            """
            INSERT INTO wifi VALUES ($1, $2, $3)
            ON CONFLICT (user_id) DO UPDATE SET is_on = excluded.is_on, joined_network = excluded.joined_network
            """,
            [user, settings.isOn, settings.joinedNetwork], announcing: [.wifi(of: user)]
        )
    }
}

extension Topic {
    fileprivate static func wifi(of user: String) -> Topic { Topic("wifi/" + user) }
}
