public import ExampleStores
import GRDB
import ScreenService
public import RelistSQLite

/// Contracts and their deliveries in SQLite.
public struct SQLiteDeliveries: SQLiteTables, DeliveriesTransaction {
    // Days are ISO 8601 text, which sorts as days do.
    public static let migration = SQLiteMigration(
        SQLiteMigration.first,
        """
        CREATE TABLE contract (
            number TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            date TEXT NOT NULL,
            status TEXT NOT NULL,
            contractedKilograms INTEGER NOT NULL,
            firstDay TEXT NOT NULL,
            lastDay TEXT NOT NULL
        ) STRICT;

        CREATE TABLE delivery (
            id TEXT NOT NULL PRIMARY KEY,
            contract TEXT NOT NULL REFERENCES contract (number),
            day TEXT NOT NULL,
            scheduledKilograms INTEGER NOT NULL,
            weighedKilograms INTEGER
        ) STRICT;
        CREATE INDEX deliveryByDay ON delivery (contract, day, id);

        -- The highest number that a delivery's id ever began with. Ids of deleted deliveries
        -- are not given out again.
        CREATE TABLE lastDeliveryNumber (value INTEGER NOT NULL) STRICT;
        INSERT INTO lastDeliveryNumber VALUES (0);
        """
    )

    private let transaction: SQLiteTransaction

    public static func transaction(_ transaction: SQLiteTransaction) -> any DeliveriesTransaction {
        SQLiteDeliveries(transaction: transaction)
    }
}

extension Topic {
    fileprivate static func contract(_ number: String) -> Topic { Topic("contract/" + number) }
    fileprivate static let contractNames = Topic("contracts")
    /// Any of a contract's deliveries, one of them, or their sums.
    fileprivate static func deliveries(ofContract number: String) -> Topic { Topic("deliveries/" + number) }
}

// MARK: - Contracts

extension SQLiteDeliveries {
    public func contract(_ number: String) throws -> Contract? {
        try contract(number, of: .contract(number))
    }

    public func contractNames() throws -> [ContractName] {
        try transaction.rows(of: .contractNames, "SELECT number, name FROM contract ORDER BY number") { row in
            try ContractName(number: row.value(0), name: row.value(1))
        }
    }

    public func insertContract(_ contract: Contract) throws {
        try transaction.write(
            "INSERT INTO contract VALUES (?, ?, ?, ?, ?, ?, ?)", arguments(contract),
            announcing: [.contract(contract.number), .contractNames],
            ifTaken: DeliveriesStoreError.contractExists(number: contract.number)
        )
    }

    public func replaceContract(_ contract: Contract) throws {
        guard let old = try self.contract(contract.number, of: nil) else {
            throw DeliveriesStoreError.noContract(number: contract.number)
        }
        guard contract != old else { return }
        try transaction.write(
            "REPLACE INTO contract VALUES (?, ?, ?, ?, ?, ?, ?)", arguments(contract),
            announcing: [.contract(contract.number)] + (contract.name == old.name ? [] : [.contractNames])
        )
    }

    private func contract(_ number: String, of topic: Topic?) throws -> Contract? {
        try transaction.row(
            of: topic,
            """
            SELECT number, name, date, status, contractedKilograms, firstDay, lastDay
            FROM contract WHERE number = ?
            """,
            [number], Contract.init
        )
    }

    private func arguments(_ contract: Contract) -> [SQLiteTransaction.Argument] {
        [
            contract.number, contract.name, contract.date.description, contract.status.rawValue,
            contract.contractedWeight.kilograms,
            contract.window.lowerBound.description, contract.window.upperBound.description,
        ]
    }
}

extension Contract {
    fileprivate init(_ row: Row) throws {
        let number: String = try row.value(0)
        guard let date = CalendarDay(try row.value(2)), let status = Status(rawValue: try row.value(3)),
            let first = CalendarDay(try row.value(5)), let last = CalendarDay(try row.value(6)), first <= last
        else { throw SQLiteStoreError.unreadable("\(DeliveriesStoreError.unreadableContract(number: number))") }
        try self.init(
            number: number,
            name: row.value(1),
            date: date,
            status: status,
            contractedWeight: Weight(kilograms: row.value(4)),
            window: first...last
        )
    }
}

// MARK: - Deliveries

extension SQLiteDeliveries {
    public func deliveries(ofContract number: String, from first: CalendarDay?) throws -> [Delivery] {
        try transaction.rows(
            of: .deliveries(ofContract: number),
            """
            SELECT id, contract, day, scheduledKilograms, weighedKilograms
            FROM delivery WHERE contract = ? AND day >= ? ORDER BY day, id
            """,
            [number, first?.description ?? ""], Delivery.init
        )
    }

    public func delivery(_ id: String, ofContract number: String) throws -> Delivery? {
        let delivery = try delivery(id, of: .deliveries(ofContract: number))
        return delivery?.contract == number ? delivery : nil
    }

    public func deliveryTotals(ofContract number: String) throws -> DeliveryTotals {
        let limit = DeliveryTotals.limit.kilograms
        let totals = try transaction.row(
            of: .deliveries(ofContract: number),
            """
            SELECT count(*), ifnull(sum(max(-\(limit), min(scheduledKilograms, \(limit)))), 0),
                ifnull(sum(max(-\(limit), min(weighedKilograms, \(limit)))), 0)
            FROM delivery WHERE contract = ?
            """,
            [number]
        ) { row in
            try DeliveryTotals(
                count: row.value(0),
                scheduledWeight: Weight(kilograms: row.value(1)),
                weighedWeight: Weight(kilograms: row.value(2))
            )
        }
        return totals!
    }

    public func insertDelivery(_ delivery: Delivery) throws {
        try transaction.write(
            "INSERT INTO delivery VALUES (?, ?, ?, ?, ?)", arguments(delivery),
            announcing: [.deliveries(ofContract: delivery.contract)],
            ifTaken: DeliveriesStoreError.deliveryExists(id: delivery.id),
            ifOrphaned: DeliveriesStoreError.noContract(number: delivery.contract)
        )
        try keepFromReuse(delivery.id)
    }

    public func replaceDelivery(_ delivery: Delivery) throws {
        guard let old = try self.delivery(delivery.id, of: nil) else {
            throw DeliveriesStoreError.noDelivery(id: delivery.id)
        }
        guard delivery != old else { return }
        try transaction.write(
            "REPLACE INTO delivery VALUES (?, ?, ?, ?, ?)", arguments(delivery),
            announcing: [.deliveries(ofContract: old.contract), .deliveries(ofContract: delivery.contract)],
            ifOrphaned: DeliveriesStoreError.noContract(number: delivery.contract)
        )
    }

    public func deleteDelivery(_ id: String, ofContract number: String) throws -> Bool {
        try transaction.write(
            "DELETE FROM delivery WHERE id = ? AND contract = ?", [id, number],
            announcing: [.deliveries(ofContract: number)]
        ) > 0
    }

    private func delivery(_ id: String, of topic: Topic?) throws -> Delivery? {
        let sql = "SELECT id, contract, day, scheduledKilograms, weighedKilograms FROM delivery WHERE id = ?"
        return try transaction.row(of: topic, sql, [id], Delivery.init)
    }

    private func arguments(_ delivery: Delivery) -> [SQLiteTransaction.Argument] {
        [
            delivery.id, delivery.contract, delivery.day.description, delivery.scheduledWeight.kilograms,
            delivery.weighedWeight?.kilograms,
        ]
    }
}

extension Delivery {
    fileprivate init(_ row: Row) throws {
        let id: String = try row.value(0)
        guard let day = CalendarDay(try row.value(2)) else {
            throw SQLiteStoreError.unreadable("\(DeliveriesStoreError.unreadableDelivery(id: id))")
        }
        let weighed: Int? = try row.value(4)
        try self.init(
            id: id,
            contract: row.value(1),
            day: day,
            scheduledWeight: Weight(kilograms: row.value(3)),
            weighedWeight: weighed.map(Weight.init(kilograms:))
        )
    }
}

// MARK: - Ids of deliveries

extension SQLiteDeliveries {
    public func newDeliveryID() throws -> String {
        let count = try transaction.write("UPDATE lastDeliveryNumber SET value = value + 1 WHERE value < \(Int64.max)")
        let number: Int? = try transaction.row(of: nil, "SELECT value FROM lastDeliveryNumber") { try $0.value(0) }
        guard count > 0, let number else {
            throw SQLiteStoreError.unreadable("The number of the last delivery is missing, or there is none after it.")
        }
        return "\(number)-1"
    }

    /// Lets new ids begin after the number with which `id` does, if it does.
    private func keepFromReuse(_ id: String) throws {
        // A number beyond this is nobody's count, and near the largest there would be no next one.
        guard let number = Int(id.prefix { $0 != "-" }), number <= 1_000_000_000 else { return }
        try transaction.write("UPDATE lastDeliveryNumber SET value = ? WHERE value < ?", [number, number])
    }
}
