public import ScreenService

/// The settings of a user about wireless networks; the `wifi` screen shows it.
public struct WiFiSettings: Hashable, Sendable {
    public var isOn: Bool
    /// The id of the network that was joined last and not forgotten, whether it is in range or not.
    public var joinedNetwork: String?

    public init(isOn: Bool, joinedNetwork: String?) {
        self.isOn = isOn
        self.joinedNetwork = joinedNetwork
    }

    /// The settings of a user of whom nothing is stored.
    public static let initial = WiFiSettings(isOn: true, joinedNetwork: nil)
}

/// A transaction on what users have set about wireless networks.
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

    /// The settings of `user`; ``WiFiSettings/initial`` where nothing is stored of them.
    public func wifiSettings(of user: String) throws -> WiFiSettings {
        let sql = "SELECT is_on, joined_network FROM wifi WHERE user_id = $1"
        return try records.row(of: .wifi(of: user), sql, [user]) { try WiFiSettings(isOn: $0[0], joinedNetwork: $0[1]) } ?? .initial
    }

    /// Stores `settings` as those of `user`, who need not be known before.
    public mutating func saveWiFiSettings(_ settings: WiFiSettings, of user: String) throws {
        guard try settings != wifiSettings(of: user) else { return }
        try records.write(
            """
            INSERT INTO wifi VALUES ($1, $2, $3)
            ON CONFLICT (user_id) DO UPDATE SET is_on = excluded.is_on, joined_network = excluded.joined_network
            """,
            [user, settings.isOn, settings.joinedNetwork], announcing: [.wifi(of: user)]
        )
    }

    /// Changes what is stored of `user`.
    public mutating func changeWiFiSettings(of user: String, _ change: (inout WiFiSettings) throws -> Void) throws {
        var settings = try wifiSettings(of: user)
        try change(&settings)
        try saveWiFiSettings(settings, of: user)
    }
}

extension Topic {
    fileprivate static func wifi(of user: String) -> Topic { Topic("wifi/" + user) }
}
