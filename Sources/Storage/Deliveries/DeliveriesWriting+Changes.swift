extension DeliveriesWriting {
    /// Puts a delivery on another day.
    ///
    /// - Throws: ``StoreError/noDelivery(id:)``
    public func moveDelivery(_ id: String, ofContract number: String, to day: CalendarDay) throws {
        try changeDelivery(id, ofContract: number) { $0.day = day }
    }

    /// Changes what a delivery is scheduled to weigh.
    ///
    /// - Throws: ``StoreError/noDelivery(id:)``
    public func setScheduledWeight(_ weight: Weight, ofDelivery id: String, contract number: String) throws {
        try changeDelivery(id, ofContract: number) { $0.scheduledWeight = weight }
    }

    /// Changes what the weighbridge found of a delivery; nil says that it was not weighed.
    ///
    /// - Throws: ``StoreError/noDelivery(id:)``
    public func setWeighedWeight(_ weight: Weight?, ofDelivery id: String, contract number: String) throws {
        try changeDelivery(id, ofContract: number) { $0.weighedWeight = weight }
    }

    private func changeDelivery(
        _ id: String,
        ofContract number: String,
        _ change: (inout Delivery) -> Void
    ) throws {
        guard var delivery = try delivery(id, ofContract: number) else {
            throw StoreError.noDelivery(id: id)
        }
        change(&delivery)
        try replaceDelivery(delivery)
    }
}
