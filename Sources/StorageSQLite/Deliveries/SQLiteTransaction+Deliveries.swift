import GRDB
import Storage

extension SQLiteTransaction: DeliveriesWriting {
    func deliveries(ofContract number: String, from first: CalendarDay?) throws -> [Delivery] {
        noteRead(.deliveries(contract: number))
        return try rows(
            """
            SELECT id, contract, day, scheduledKilograms, weighedKilograms
            FROM delivery WHERE contract = ? AND day >= ? ORDER BY day, id
            """,
            [Text(number), first?.description ?? ""],
            Delivery.init
        )
    }

    func delivery(_ id: String, ofContract number: String) throws -> Delivery? {
        noteRead(.deliveries(contract: number))
        guard let delivery = try storedDelivery(id), delivery.contract == number else { return nil }
        return delivery
    }

    func deliveryTotals(ofContract number: String) throws -> DeliveryTotals {
        noteRead(.deliveries(contract: number))
        let totals = try row(
            """
            SELECT count(*), ifnull(sum(scheduledKilograms), 0), ifnull(sum(weighedKilograms), 0)
            FROM delivery WHERE contract = ?
            """,
            [Text(number)]
        ) { row in
            DeliveryTotals(
                count: row[0],
                scheduledWeight: Weight(kilograms: row[1]),
                weighedWeight: Weight(kilograms: row[2])
            )
        }
        return totals!
    }

    func insertDelivery(_ delivery: Delivery) throws {
        try write(
            "INSERT INTO delivery VALUES (?, ?, ?, ?, ?)", arguments(delivery),
            ifTaken: .deliveryExists(id: delivery.id), ifOrphaned: .noContract(number: delivery.contract)
        )
        try keepFromReuse(delivery.id)
        noteWrite(.deliveries(contract: delivery.contract))
    }

    func replaceDelivery(_ delivery: Delivery) throws {
        guard let old = try storedDelivery(delivery.id) else { throw StoreError.noDelivery(id: delivery.id) }
        guard delivery != old else { return }
        try write(
            "REPLACE INTO delivery VALUES (?, ?, ?, ?, ?)", arguments(delivery),
            ifOrphaned: .noContract(number: delivery.contract)
        )
        noteWrite(.deliveries(contract: old.contract))
        noteWrite(.deliveries(contract: delivery.contract))
    }

    func deleteDelivery(_ id: String, ofContract number: String) throws -> Bool {
        let count = try write("DELETE FROM delivery WHERE id = ? AND contract = ?", [Text(id), Text(number)])
        guard count > 0 else { return false }
        noteWrite(.deliveries(contract: number))
        return true
    }

    private func storedDelivery(_ id: String) throws -> Delivery? {
        try row(
            "SELECT id, contract, day, scheduledKilograms, weighedKilograms FROM delivery WHERE id = ?",
            [Text(id)],
            Delivery.init
        )
    }

    private func arguments(_ delivery: Delivery) -> StatementArguments {
        [
            Text(delivery.id), Text(delivery.contract), delivery.day.description,
            delivery.scheduledWeight.kilograms, delivery.weighedWeight?.kilograms,
        ]
    }
}

extension Delivery {
    fileprivate init(_ row: Row) throws {
        let id: String = row[0]
        guard let day = CalendarDay(row[2]) else { throw StoreError.unreadable(record: .delivery, id: id) }
        let weighed: Int? = row[4]
        self.init(
            id: id,
            contract: row[1],
            day: day,
            scheduledWeight: Weight(kilograms: row[3]),
            weighedWeight: weighed.map(Weight.init(kilograms:))
        )
    }
}
