import ScreenClient

// In the server's documents, the type of a view is the name of its Swift type without the last word. For example, the type of a `DayHeader`
// is `day`, and the type of a `DeliveryCell` is `delivery`.

/// A header with a day and the total weight of the deliveries on that day.
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
