public import ScreenService

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

/// A fault of a write of contracts and deliveries.
public enum DeliveriesStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case contractExists(number: String)
    case noContract(number: String)
    case deliveryExists(id: String)
    case noDelivery(id: String)

    /// The fault in one English sentence for logs.
    public var description: String {
        switch self {
        case .contractExists(let number): "There is a contract \(number) already."
        case .noContract(let number): "There is no contract \(number)."
        case .deliveryExists(let id): "There is a delivery \(id) already."
        case .noDelivery(let id): "There is no delivery \(id)."
        }
    }
}
