public import ScreenService

/// An agreement to deliver grain. The `deliveries` screen shows one contract.
public struct Contract: Hashable, Decodable, Sendable {
    /// The progress of a contract. The raw value is stored.
    public enum Status: String, CaseIterable, Decodable, Sendable {
        /// Nothing has been delivered yet.
        case agreed
        /// Some of the grain has been delivered.
        case running
        /// All of the grain has been delivered.
        case fulfilled
        /// All of the grain has been delivered, and the price was reduced because of the quality of the grain.
        case discounted
        /// The grain has been delivered and paid.
        case paid
    }

    /// The unique number of the contract, such as `240189-000`.
    public let number: String
    /// The name of the product, such as `ORGE PLANET`.
    public var name: String
    /// The day of the agreement.
    public var date: CalendarDay
    public var status: Status
    public var contractedWeight: Weight
    /// The days on which deliveries may take place.
    public var window: ClosedRange<CalendarDay>
}

/// The number and the name of a contract, for lists of contracts.
public struct ContractName: Hashable, Sendable {
    public let number: String
    public let name: String
}
