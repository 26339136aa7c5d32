/// Reads what users have set about wireless networks.
public protocol WiFiReading {
    /// The settings of `user`; ``WiFiSettings/initial`` where nothing is stored of them.
    func wifiSettings(of user: String) throws -> WiFiSettings
}

/// Writes what users set about wireless networks.
public protocol WiFiWriting: WiFiReading {
    /// Keeps `settings` as those of `user`, who need not be known before.
    func saveWiFiSettings(_ settings: WiFiSettings, of user: String) throws
}

extension WiFiWriting {
    /// Changes what is stored of `user`.
    public func changeWiFiSettings(of user: String, _ change: (inout WiFiSettings) throws -> Void) throws {
        var settings = try wifiSettings(of: user)
        try change(&settings)
        try saveWiFiSettings(settings, of: user)
    }
}
