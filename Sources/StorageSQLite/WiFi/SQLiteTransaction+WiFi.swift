import GRDB
import Storage

extension SQLiteTransaction: WiFiWriting {
    func wifiSettings(of user: String) throws -> WiFiSettings {
        noteRead(.wifi(user: user))
        return try storedWiFiSettings(of: user) ?? .initial
    }

    func saveWiFiSettings(_ settings: WiFiSettings, of user: String) throws {
        guard try settings != storedWiFiSettings(of: user) ?? .initial else { return }
        try write(
            "REPLACE INTO wifi (user, isOn, joinedNetwork) VALUES (?, ?, ?)",
            [Text(user), settings.isOn, settings.joinedNetwork.map(Text.init)]
        )
        noteWrite(.wifi(user: user))
    }

    private func storedWiFiSettings(of user: String) throws -> WiFiSettings? {
        try row("SELECT isOn, joinedNetwork FROM wifi WHERE user = ?", [Text(user)]) { row in
            WiFiSettings(isOn: row[0], joinedNetwork: row[1])
        }
    }
}
