public import ExampleStores
import GRDB
import ScreenService
public import RelistSQLite

/// What users have set about wireless networks, in SQLite.
public struct SQLiteWiFi: SQLiteTables, WiFiTransaction {
    public static let migration = SQLiteMigration(
        "wifi",
        """
        CREATE TABLE wifi (
            user TEXT NOT NULL PRIMARY KEY,
            isOn INTEGER NOT NULL,
            joinedNetwork TEXT
        ) STRICT;
        """
    )

    private let transaction: SQLiteTransaction

    public static func transaction(_ transaction: SQLiteTransaction) -> any WiFiTransaction {
        SQLiteWiFi(transaction: transaction)
    }

    public func wifiSettings(of user: String) throws -> WiFiSettings {
        let settings = try transaction.row(
            of: .wifi(of: user), "SELECT isOn, joinedNetwork FROM wifi WHERE user = ?", [user]
        ) { row in
            try WiFiSettings(isOn: row.value(0), joinedNetwork: row.value(1))
        }
        return settings ?? .initial
    }

    public func saveWiFiSettings(_ settings: WiFiSettings, of user: String) throws {
        guard try settings != wifiSettings(of: user) else { return }
        try transaction.write(
            "REPLACE INTO wifi (user, isOn, joinedNetwork) VALUES (?, ?, ?)",
            [user, settings.isOn, settings.joinedNetwork], announcing: [.wifi(of: user)]
        )
    }
}

extension Topic {
    fileprivate static func wifi(of user: String) -> Topic { Topic("wifi/" + user) }
}
