import ScreenClient

// The server names a cell type after its Swift type, without the last word: `day` for `DayHeader`, and `delivery` for `DeliveryCell`.

/// A header with a day and the total of its deliveries.
public struct DayHeader: Decodable, Hashable, Sendable {
    public let title: String
    public let kilograms: Int
}

/// A lorry load of grain.
public struct DeliveryCell: Decodable, Hashable, Sendable, Identifiable {
    public let id: String
    public let number: String
    /// The weight as text for the user, such as `10.766 t`.
    public let weight: String
    public let kilograms: Int
    public let status: String
    public let isWeighed: Bool
}

/// A property of the contract: a text or a weight.
public struct ContractCell: Decodable, Hashable, Sendable, Identifiable {
    public let id: String
    public let label: String
    public let value: String
}
