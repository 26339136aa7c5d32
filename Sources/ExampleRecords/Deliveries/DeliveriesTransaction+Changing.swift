extension DeliveriesTransaction {
    /// Changes a delivery of a contract, or throws ``DeliveriesStoreError/noDelivery(id:)``.
    public mutating func changeDelivery(_ id: String, ofContract number: String, _ change: (inout Delivery) -> Void) throws {
        guard var delivery = try delivery(id, ofContract: number) else { throw DeliveriesStoreError.noDelivery(id: id) }
        change(&delivery)
        try replaceDelivery(delivery)
    }

    /// Restores the example contracts and their deliveries. Does not change other contracts.
    public mutating func restoreExamples() throws {
        let deliveries = try Examples.deliveries
        for contract in try Examples.contracts { try restore(contract, deliveries.filter { $0.contract == contract.number }) }
    }

    private mutating func restore(_ contract: Contract, _ wanted: [Delivery]) throws {
        let number = contract.number
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
                // In a damaged database, the delivery may exist although the query above did not return it.
                do { try replaceDelivery(delivery) } catch DeliveriesStoreError.noDelivery { try insertDelivery(delivery) }
            }
        }
    }
}

/// An error that is thrown by a function that writes contracts or deliveries.
public enum DeliveriesStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case contractExists(number: String)
    case noContract(number: String)
    case deliveryExists(id: String)
    case noDelivery(id: String)

    /// The description of the error for logs, in English.
    public var description: String {
        switch self {
        case .contractExists(let number): "There is a contract \(number) already."
        case .noContract(let number): "There is no contract \(number)."
        case .deliveryExists(let id): "There is a delivery \(id) already."
        case .noDelivery(let id): "There is no delivery \(id)."
        }
    }
}
