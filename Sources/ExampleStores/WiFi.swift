/// What a user has set about wireless networks; the `wifi` screen shows it.
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

/// What the `wifi` screen reads and writes within a transaction.
public protocol WiFiTransaction {
    /// The settings of `user`; ``WiFiSettings/initial`` where nothing is stored of them.
    func wifiSettings(of user: String) throws -> WiFiSettings

    /// Stores `settings` as those of `user`, who need not be known before.
    mutating func saveWiFiSettings(_ settings: WiFiSettings, of user: String) throws
}

extension WiFiTransaction {
    /// Changes what is stored of `user`.
    public mutating func changeWiFiSettings(of user: String, _ change: (inout WiFiSettings) throws -> Void) throws {
        var settings = try wifiSettings(of: user)
        try change(&settings)
        try saveWiFiSettings(settings, of: user)
    }
}
