public import ScreenService

/// An agreement to deliver grain; the `deliveries` screen shows one.
public struct Contract: Hashable, Sendable {
    /// How far a contract has come. Its raw value is what is stored.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// Agreed, and nothing has been delivered.
        case agreed
        /// Deliveries are under way.
        case running
        /// All of it has been delivered.
        case fulfilled
        /// Delivered, and the price was lowered for the quality that was found.
        case discounted
        /// Delivered and paid.
        case paid
    }

    /// What it is known by, such as `240189-000`.
    public let number: String
    /// What is delivered, as the parties call it: `ORGE PLANET`.
    public var name: String
    /// When it was agreed.
    public var date: CalendarDay
    public var status: Status
    public var contractedWeight: Weight
    /// The days on which it may be delivered, the first and the last included.
    public var window: ClosedRange<CalendarDay>

    public init(
        number: String,
        name: String,
        date: CalendarDay,
        status: Status,
        contractedWeight: Weight,
        window: ClosedRange<CalendarDay>
    ) {
        self.number = number
        self.name = name
        self.date = date
        self.status = status
        self.contractedWeight = contractedWeight
        self.window = window
    }
}

/// A contract as a list of contracts names it.
public struct ContractName: Hashable, Sendable {
    /// ``Contract/number``
    public let number: String
    /// ``Contract/name``
    public let name: String

    public init(number: String, name: String) {
        self.number = number
        self.name = name
    }
}
