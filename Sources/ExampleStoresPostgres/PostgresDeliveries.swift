public import ExampleStores
public import RelistPostgres
import ScreenService

/// Contracts and their deliveries in PostgreSQL.
public struct PostgresDeliveries: PostgresTables, DeliveriesTransaction {
    // Days are ISO 8601 text, which sorts as days do.
    public static let migration = PostgresMigration(
        "deliveries",
        """
        CREATE TABLE example.contract (
            number text COLLATE "C" NOT NULL PRIMARY KEY,
            name text NOT NULL,
            date text NOT NULL,
            status text NOT NULL,
            contracted_kilograms bigint NOT NULL,
            first_day text NOT NULL,
            last_day text NOT NULL
        );

        CREATE TABLE example.delivery (
            id text COLLATE "C" NOT NULL PRIMARY KEY,
            contract text COLLATE "C" NOT NULL REFERENCES example.contract (number),
            day text COLLATE "C" NOT NULL,
            scheduled_kilograms bigint NOT NULL,
            weighed_kilograms bigint
        );
        CREATE INDEX delivery_by_day ON example.delivery (contract, day, id);

        -- The highest number that a delivery's id ever began with. Ids of deleted deliveries
        -- are not given out again. Of no transaction, so that none is in another one's way.
        CREATE SEQUENCE example.delivery_number;
        """
    )

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any DeliveriesTransaction {
        PostgresDeliveries(transaction: transaction)
    }
}

extension Topic {
    fileprivate static func contract(_ number: String) -> Topic { Topic("contract/" + number) }
    fileprivate static let contractNames = Topic("contracts")
    /// Any of a contract's deliveries, one of them, or their sums.
    fileprivate static func deliveries(ofContract number: String) -> Topic { Topic("deliveries/" + number) }
}

// MARK: - Contracts

extension PostgresDeliveries {
    public func contract(_ number: String) throws -> Contract? {
        try contract(number, of: .contract(number))
    }

    public func contractNames() throws -> [ContractName] {
        try transaction.rows(of: .contractNames, "SELECT number, name FROM example.contract ORDER BY number") { row in
            try ContractName(number: row[0], name: row[1])
        }
    }

    public func insertContract(_ contract: Contract) throws {
        try transaction.write(
            "INSERT INTO example.contract VALUES ($1, $2, $3, $4, $5, $6, $7)", arguments(contract),
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
            """
            UPDATE example.contract
            SET name = $2, date = $3, status = $4, contracted_kilograms = $5, first_day = $6, last_day = $7 WHERE number = $1
            """,
            arguments(contract), announcing: [.contract(contract.number)] + (contract.name == old.name ? [] : [.contractNames])
        )
    }

    private func contract(_ number: String, of topic: Topic?) throws -> Contract? {
        try transaction.row(
            of: topic,
            """
            SELECT number, name, date, status, contracted_kilograms, first_day, last_day
            FROM example.contract WHERE number = $1
            """,
            [number], Contract.init
        )
    }

    private func arguments(_ contract: Contract) -> [PostgresTransaction.Argument] {
        [
            contract.number, contract.name, contract.date.description, contract.status.rawValue,
            contract.contractedWeight.kilograms,
            contract.window.lowerBound.description, contract.window.upperBound.description,
        ]
    }
}

extension Contract {
    fileprivate init(_ row: PostgresRow) throws {
        let number: String = try row[0]
        guard let date = CalendarDay(try row[2]), let status = Status(rawValue: try row[3]),
            let first = CalendarDay(try row[5]), let last = CalendarDay(try row[6]), first <= last
        else { throw DeliveriesStoreError.unreadableContract(number: number) }
        try self.init(
            number: number,
            name: row[1],
            date: date,
            status: status,
            contractedWeight: Weight(kilograms: row[4]),
            window: first...last
        )
    }
}

// MARK: - Deliveries

extension PostgresDeliveries {
    public func deliveries(ofContract number: String, from first: CalendarDay?) throws -> [Delivery] {
        try transaction.rows(
            of: .deliveries(ofContract: number),
            """
            SELECT id, contract, day, scheduled_kilograms, weighed_kilograms
            FROM example.delivery WHERE contract = $1 AND day >= $2 ORDER BY day, id
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
            SELECT count(*), coalesce(sum(greatest(-\(limit), least(scheduled_kilograms, \(limit)))), 0)::bigint,
                coalesce(sum(greatest(-\(limit), least(weighed_kilograms, \(limit)))) FILTER (WHERE weighed_kilograms IS NOT NULL), 0)::bigint
            FROM example.delivery WHERE contract = $1
            """,
            [number]
        ) { row in
            try DeliveryTotals(
                count: row[0],
                scheduledWeight: Weight(kilograms: row[1]),
                weighedWeight: Weight(kilograms: row[2])
            )
        }
        return totals!
    }

    public func insertDelivery(_ delivery: Delivery) throws {
        try transaction.write(
            "INSERT INTO example.delivery VALUES ($1, $2, $3, $4, $5)", arguments(delivery),
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
            """
            UPDATE example.delivery SET contract = $2, day = $3, scheduled_kilograms = $4, weighed_kilograms = $5 WHERE id = $1
            """,
            arguments(delivery), announcing: [.deliveries(ofContract: old.contract), .deliveries(ofContract: delivery.contract)],
            ifOrphaned: DeliveriesStoreError.noContract(number: delivery.contract)
        )
    }

    public func deleteDelivery(_ id: String, ofContract number: String) throws -> Bool {
        try transaction.write(
            "DELETE FROM example.delivery WHERE id = $1 AND contract = $2", [id, number],
            announcing: [.deliveries(ofContract: number)]
        ) > 0
    }

    private func delivery(_ id: String, of topic: Topic?) throws -> Delivery? {
        let sql = "SELECT id, contract, day, scheduled_kilograms, weighed_kilograms FROM example.delivery WHERE id = $1"
        return try transaction.row(of: topic, sql, [id], Delivery.init)
    }

    private func arguments(_ delivery: Delivery) -> [PostgresTransaction.Argument] {
        [
            delivery.id, delivery.contract, delivery.day.description, delivery.scheduledWeight.kilograms,
            delivery.weighedWeight?.kilograms,
        ]
    }
}

extension Delivery {
    fileprivate init(_ row: PostgresRow) throws {
        let id: String = try row[0]
        guard let day = CalendarDay(try row[2]) else { throw DeliveriesStoreError.unreadableDelivery(id: id) }
        let weighed: Int? = try row[4]
        try self.init(
            id: id,
            contract: row[1],
            day: day,
            scheduledWeight: Weight(kilograms: row[3]),
            weighedWeight: weighed.map(Weight.init(kilograms:))
        )
    }
}

// MARK: - Ids of deliveries

extension PostgresDeliveries {
    public func newDeliveryID() throws -> String {
        let number: Int? = try transaction.row(of: nil, "SELECT nextval('example.delivery_number')") { try $0[0] }
        return "\(number!)-1"
    }

    /// Lets new ids begin after the number with which `id` does, if it does.
    private func keepFromReuse(_ id: String) throws {
        // A number beyond this is nobody's count, and near the largest there would be no next one.
        guard let number = Int(id.prefix { $0 != "-" }), (1...1_000_000_000).contains(number) else { return }
        try transaction.write(
            "SELECT setval('example.delivery_number', $1) FROM example.delivery_number WHERE last_value < $1", [number]
        )
    }
}
