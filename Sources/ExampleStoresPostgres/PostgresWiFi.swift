public import ExampleStores
public import RelistPostgres
import ScreenService

/// What users have set about wireless networks, in PostgreSQL.
public struct PostgresWiFi: PostgresTables, WiFiTransaction {
    public static let migration = PostgresMigration(
        "wifi",
        """
        CREATE TABLE example.wifi (
            user_id text NOT NULL PRIMARY KEY,
            is_on boolean NOT NULL,
            joined_network text
        );
        """
    )

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any WiFiTransaction {
        PostgresWiFi(transaction: transaction)
    }

    public func wifiSettings(of user: String) throws -> WiFiSettings {
        let settings = try transaction.row(
            of: .wifi(of: user), "SELECT is_on, joined_network FROM example.wifi WHERE user_id = $1", [user]
        ) { row in
            try WiFiSettings(isOn: row[0], joinedNetwork: row[1])
        }
        return settings ?? .initial
    }

    public func saveWiFiSettings(_ settings: WiFiSettings, of user: String) throws {
        guard try settings != wifiSettings(of: user) else { return }
        try transaction.write(
            """
            INSERT INTO example.wifi VALUES ($1, $2, $3)
            ON CONFLICT (user_id) DO UPDATE SET is_on = excluded.is_on, joined_network = excluded.joined_network
            """,
            [user, settings.isOn, settings.joinedNetwork], announcing: [.wifi(of: user)]
        )
    }
}

extension Topic {
    fileprivate static func wifi(of user: String) -> Topic { Topic("wifi/" + user) }
}
