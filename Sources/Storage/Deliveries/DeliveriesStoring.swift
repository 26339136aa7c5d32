/// Reads contracts and their deliveries.
public protocol DeliveriesReading {
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
}

extension DeliveriesReading {
    /// All deliveries of a contract, ordered by day and then by id (as UTF-8).
    public func deliveries(ofContract number: String) throws -> [Delivery] {
        try deliveries(ofContract: number, from: nil)
    }
}

/// Writes contracts and their deliveries. What a delivery may weigh and when it may be is for the
/// caller to know: a store keeps any.
public protocol DeliveriesWriting: DeliveriesReading {
    /// - Throws: ``StoreError/contractExists(number:)``
    func insertContract(_ contract: Contract) throws

    /// - Throws: ``StoreError/noContract(number:)``
    func replaceContract(_ contract: Contract) throws

    /// An id that no delivery has or ever had, for one that is about to be inserted.
    func newDeliveryID() throws -> String

    /// - Throws: ``StoreError/deliveryExists(id:)``, ``StoreError/noContract(number:)``
    func insertDelivery(_ delivery: Delivery) throws

    /// Puts `delivery` in the place of the one with its id.
    ///
    /// - Throws: ``StoreError/noDelivery(id:)``, ``StoreError/noContract(number:)``
    func replaceDelivery(_ delivery: Delivery) throws

    /// Deletes a delivery of a contract; false where that contract has none with this id.
    @discardableResult
    func deleteDelivery(_ id: String, ofContract number: String) throws -> Bool
}
