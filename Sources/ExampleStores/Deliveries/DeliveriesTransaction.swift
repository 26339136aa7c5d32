/// What the `deliveries` screen reads and writes within a transaction: contracts and their deliveries.
///
/// What a delivery may weigh and when it may be is for the caller to know: a store takes any.
public protocol DeliveriesTransaction: ExampleInserting {
    /// The contract with this number; nil where there is none.
    func contract(_ number: String) throws -> Contract?

    /// All contracts, ordered by number.
    func contractNames() throws -> [ContractName]

    /// The deliveries of a contract, ordered by day and then by id (as UTF-8); from `first` on
    /// where that is given. None where there is no such contract.
    func deliveries(ofContract number: String, from first: CalendarDay?) throws -> [Delivery]

    /// One delivery of a contract; nil where that contract has none with this id.
    func delivery(_ id: String, ofContract number: String) throws -> Delivery?

    /// The sums over all deliveries of a contract; zeros where there is no such contract.
    func deliveryTotals(ofContract number: String) throws -> DeliveryTotals

    /// - Throws: ``DeliveriesStoreError/contractExists(number:)``
    mutating func insertContract(_ contract: Contract) throws

    /// - Throws: ``DeliveriesStoreError/noContract(number:)``
    mutating func replaceContract(_ contract: Contract) throws

    /// An id that no delivery has or ever had, for one that is about to be inserted.
    mutating func newDeliveryID() throws -> String

    /// - Throws: ``DeliveriesStoreError/deliveryExists(id:)``, ``DeliveriesStoreError/noContract(number:)``
    mutating func insertDelivery(_ delivery: Delivery) throws

    /// Puts `delivery` in the place of the one with its id.
    ///
    /// - Throws: ``DeliveriesStoreError/noDelivery(id:)``, ``DeliveriesStoreError/noContract(number:)``
    mutating func replaceDelivery(_ delivery: Delivery) throws

    /// Deletes a delivery of a contract; false where that contract has none with this id.
    @discardableResult
    mutating func deleteDelivery(_ id: String, ofContract number: String) throws -> Bool
}

extension DeliveriesTransaction {
    /// All deliveries of a contract, ordered by day and then by id (as UTF-8).
    public func deliveries(ofContract number: String) throws -> [Delivery] {
        try deliveries(ofContract: number, from: nil)
    }

    /// Puts a delivery on another day.
    ///
    /// - Throws: ``DeliveriesStoreError/noDelivery(id:)``
    public mutating func moveDelivery(_ id: String, ofContract number: String, to day: CalendarDay) throws {
        try changeDelivery(id, ofContract: number) { $0.day = day }
    }

    /// Changes what a delivery is scheduled to weigh.
    ///
    /// - Throws: ``DeliveriesStoreError/noDelivery(id:)``
    public mutating func setScheduledWeight(_ weight: Weight, ofDelivery id: String, contract number: String) throws {
        try changeDelivery(id, ofContract: number) { $0.scheduledWeight = weight }
    }

    /// Changes what the weighbridge found of a delivery; nil says that it was not weighed.
    ///
    /// - Throws: ``DeliveriesStoreError/noDelivery(id:)``
    public mutating func setWeighedWeight(_ weight: Weight?, ofDelivery id: String, contract number: String) throws {
        try changeDelivery(id, ofContract: number) { $0.weighedWeight = weight }
    }

    private mutating func changeDelivery(
        _ id: String, ofContract number: String, _ change: (inout Delivery) -> Void
    ) throws {
        guard var delivery = try delivery(id, ofContract: number) else {
            throw DeliveriesStoreError.noDelivery(id: id)
        }
        change(&delivery)
        try replaceDelivery(delivery)
    }
}

extension DeliveriesTransaction {
    /// With the posts: they came together.
    public static var examplesPart: Int { 1 }

    public mutating func insertExamples() throws {
        for contract in Examples.contracts { try insertContract(contract) }
        for delivery in Examples.deliveries { try insertDelivery(delivery) }
    }
}

extension DeliveriesTransaction {
    /// Has the example contracts, and their deliveries, be as they first were. Nothing is done for any other.
    public mutating func restoreExamples() throws {
        for contract in Examples.contracts { try restore(contract) }
    }

    private mutating func restore(_ contract: Contract) throws {
        let number = contract.number
        let wanted = Examples.deliveries.filter { $0.contract == number }
        let ids = Set(wanted.map(\.id))
        let stored = try self.contract(number)
        if stored == nil { try insertContract(contract) } else if stored != contract { try replaceContract(contract) }
        var kept: [String: Delivery] = [:]
        for delivery in try deliveries(ofContract: number) {
            if ids.contains(delivery.id) { kept[delivery.id] = delivery } else { try deleteDelivery(delivery.id, ofContract: number) }
        }
        for delivery in wanted {
            if let old = kept[delivery.id] {
                if old != delivery { try replaceDelivery(delivery) }
            } else {
                // It may be another contract's by now, in a database that was damaged.
                do { try replaceDelivery(delivery) } catch DeliveriesStoreError.noDelivery { try insertDelivery(delivery) }
            }
        }
    }
}

/// Why contracts and deliveries could not be read or written.
public enum DeliveriesStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case contractExists(number: String)
    case noContract(number: String)
    case deliveryExists(id: String)
    case noDelivery(id: String)
    /// What was stored is no contract, such as a status that this program does not know.
    case unreadableContract(number: String)
    /// What was stored is no delivery, such as a day that does not exist.
    case unreadableDelivery(id: String)

    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .contractExists(let number): "There is a contract \(number) already."
        case .noContract(let number): "There is no contract \(number)."
        case .deliveryExists(let id): "There is a delivery \(id) already."
        case .noDelivery(let id): "There is no delivery \(id)."
        case .unreadableContract(let number): "The stored contract \(number) has a value that cannot be read."
        case .unreadableDelivery(let id): "The stored delivery \(id) has a value that cannot be read."
        }
    }
}
