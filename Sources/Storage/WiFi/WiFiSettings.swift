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
