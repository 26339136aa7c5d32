public import ScreenService

/// A transaction on contracts and their deliveries. It stores any weight and any day, so its callers must check both.
public struct DeliveriesTransaction: ExampleTransaction {
    // Days are stored as ISO 8601 text, so that sorting the text sorts the days.
    public static let sqlite = [
        RecordMigration(
            Examples.firstStep,
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

            -- The highest number that an id of a delivery ever began with. Ids of deleted deliveries are not reused.
            CREATE TABLE lastDeliveryNumber (value INTEGER NOT NULL) STRICT;
            INSERT INTO lastDeliveryNumber VALUES (0);
            """
        ),
        RecordMigration(
            "deliveries names",
            """
            ALTER TABLE contract RENAME COLUMN contractedKilograms TO contracted_kilograms;
            ALTER TABLE contract RENAME COLUMN firstDay TO first_day;
            ALTER TABLE contract RENAME COLUMN lastDay TO last_day;
            ALTER TABLE delivery RENAME COLUMN scheduledKilograms TO scheduled_kilograms;
            ALTER TABLE delivery RENAME COLUMN weighedKilograms TO weighed_kilograms;
            """
        ),
    ]
    public static let postgres = [
        RecordMigration(
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

            -- The highest number that an id of a delivery ever began with. Ids of deleted deliveries are not reused.
            -- A sequence is outside of transactions, so that concurrent inserts do not wait for each other.
            CREATE SEQUENCE example.delivery_number;
            """
        )
    ]
    /// Part 1 of the examples contains the posts and the deliveries.
    public static let examplesPart: Int? = 1

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    public mutating func insertExamples() throws {
        for contract in try Examples.contracts { try insertContract(contract) }
        for delivery in try Examples.deliveries { try insertDelivery(delivery) }
    }
}

extension Topic {
    fileprivate static func contract(_ number: String) -> Topic { Topic("contract/" + number) }
    fileprivate static let contractNames = Topic("contracts")
    /// The topic of a contract's deliveries and of their sums.
    fileprivate static func deliveries(ofContract number: String) -> Topic { Topic("deliveries/" + number) }
}

// MARK: - Contracts

extension DeliveriesTransaction {
    /// Returns the contract with this number, or `nil` if there is none.
    public func contract(_ number: String) throws -> Contract? {
        try contract(number, of: .contract(number))
    }

    /// Returns the numbers and names of all contracts, ordered by number.
    public func contractNames() throws -> [ContractName] {
        try records.rows(of: .contractNames, "SELECT number, name FROM contract ORDER BY number") { row in
            try ContractName(number: row[0], name: row[1])
        }
    }

    /// Inserts a contract, or throws ``DeliveriesStoreError/contractExists(number:)``.
    public mutating func insertContract(_ contract: Contract) throws {
        try records.write(
            "INSERT INTO contract VALUES ($1, $2, $3, $4, $5, $6, $7)", arguments(contract),
            announcing: [.contract(contract.number), .contractNames],
            ifTaken: DeliveriesStoreError.contractExists(number: contract.number)
        )
    }

    /// Replaces the contract that has the number of `contract`, or throws ``DeliveriesStoreError/noContract(number:)``.
    public mutating func replaceContract(_ contract: Contract) throws {
        guard let old = try self.contract(contract.number, of: nil) else {
            throw DeliveriesStoreError.noContract(number: contract.number)
        }
        guard contract != old else { return }
        try records.write(
            """
            UPDATE contract
            SET name = $2, date = $3, status = $4, contracted_kilograms = $5, first_day = $6, last_day = $7 WHERE number = $1
            """,
            arguments(contract), announcing: [.contract(contract.number)] + (contract.name == old.name ? [] : [.contractNames])
        )
    }

    private func contract(_ number: String, of topic: Topic?) throws -> Contract? {
        try records.row(
            of: topic,
            """
            SELECT number, name, date, status, contracted_kilograms, first_day, last_day
            FROM contract WHERE number = $1
            """,
            [number], Contract.init
        )
    }

    private func arguments(_ contract: Contract) -> [(any RecordValue)?] {
        [
            contract.number, contract.name, contract.date, contract.status.rawValue,
            contract.contractedWeight.kilograms,
            contract.window.lowerBound, contract.window.upperBound,
        ]
    }
}

extension Contract {
    fileprivate init(_ row: any RecordRow) throws {
        let (number, first, last): (String, CalendarDay, CalendarDay) = (try row[0], try row[5], try row[6])
        guard let status = Status(rawValue: try row[3]), first <= last else {
            throw RecordValueError.unreadable("The stored contract \(number) has a value that cannot be read.")
        }
        try self.init(
            number: number,
            name: row[1],
            date: row[2],
            status: status,
            contractedWeight: Weight(kilograms: row[4]),
            window: first...last
        )
    }
}

// MARK: - Deliveries

extension DeliveriesTransaction {
    /// Returns the deliveries of a contract, ordered by day and then by the UTF-8 bytes of the id. If `first` is not `nil`, deliveries
    /// before this day are omitted.
    public func deliveries(ofContract number: String, from first: CalendarDay? = nil) throws -> [Delivery] {
        try records.rows(
            of: .deliveries(ofContract: number),
            """
            SELECT id, contract, day, scheduled_kilograms, weighed_kilograms
            FROM delivery WHERE contract = $1 AND day >= $2 ORDER BY day, id
            """,
            [number, first?.description ?? ""], Delivery.init
        )
    }

    /// Returns the delivery with this id, or `nil` if the contract has no such delivery.
    public func delivery(_ id: String, ofContract number: String) throws -> Delivery? {
        let delivery = try delivery(id, of: .deliveries(ofContract: number))
        return delivery?.contract == number ? delivery : nil
    }

    /// Returns the sums over all deliveries of a contract, or zeros if there is no such contract.
    public func deliveryTotals(ofContract number: String) throws -> DeliveryTotals {
        let sql = """
            SELECT count(*), \(Self.sum(of: "scheduled_kilograms")), \(Self.sum(of: "weighed_kilograms"))
            FROM delivery WHERE contract = $1
            """
        let totals = try records.row(of: .deliveries(ofContract: number), sql, [number]) { row in
            try DeliveryTotals(
                count: row[0],
                scheduledWeight: Weight(kilograms: row[1]),
                weighedWeight: Weight(kilograms: row[2])
            )
        }
        return totals!
    }

    /// Returns SQL for the sum of a column. Each value is clamped to ``DeliveryTotals/limit``.
    private static func sum(of column: String) -> String {
        let limit = DeliveryTotals.limit.kilograms
        let value = "CASE WHEN \(column) > \(limit) THEN \(limit) WHEN \(column) < -\(limit) THEN -\(limit) ELSE \(column) END"
        return "CAST(coalesce(sum(\(value)), 0) AS bigint)"
    }

    /// Inserts a delivery, or throws ``DeliveriesStoreError/deliveryExists(id:)`` or ``DeliveriesStoreError/noContract(number:)``.
    public mutating func insertDelivery(_ delivery: Delivery) throws {
        try records.write(
            "INSERT INTO delivery VALUES ($1, $2, $3, $4, $5)", arguments(delivery),
            announcing: [.deliveries(ofContract: delivery.contract)],
            ifTaken: DeliveriesStoreError.deliveryExists(id: delivery.id),
            ifOrphaned: DeliveriesStoreError.noContract(number: delivery.contract)
        )
        try reserveNumber(of: delivery.id)
    }

    /// Replaces the delivery that has the id of `delivery`, or throws ``DeliveriesStoreError/noDelivery(id:)`` or
    /// ``DeliveriesStoreError/noContract(number:)``.
    public mutating func replaceDelivery(_ delivery: Delivery) throws {
        guard let old = try self.delivery(delivery.id, of: nil) else {
            throw DeliveriesStoreError.noDelivery(id: delivery.id)
        }
        guard delivery != old else { return }
        try records.write(
            """
            UPDATE delivery SET contract = $2, day = $3, scheduled_kilograms = $4, weighed_kilograms = $5 WHERE id = $1
            """,
            arguments(delivery), announcing: [.deliveries(ofContract: old.contract), .deliveries(ofContract: delivery.contract)],
            ifOrphaned: DeliveriesStoreError.noContract(number: delivery.contract)
        )
    }

    /// Deletes a delivery. Returns `false` if the contract has no such delivery.
    @discardableResult
    public mutating func deleteDelivery(_ id: String, ofContract number: String) throws -> Bool {
        try records.write(
            "DELETE FROM delivery WHERE id = $1 AND contract = $2", [id, number],
            announcing: [.deliveries(ofContract: number)]
        ) > 0
    }

    private func delivery(_ id: String, of topic: Topic?) throws -> Delivery? {
        let sql = "SELECT id, contract, day, scheduled_kilograms, weighed_kilograms FROM delivery WHERE id = $1"
        return try records.row(of: topic, sql, [id], Delivery.init)
    }

    private func arguments(_ delivery: Delivery) -> [(any RecordValue)?] {
        [
            delivery.id, delivery.contract, delivery.day, delivery.scheduledWeight.kilograms,
            delivery.weighedWeight?.kilograms,
        ]
    }
}

extension Delivery {
    fileprivate init(_ row: any RecordRow) throws {
        let weighed: Int? = try row[4]
        try self.init(
            id: row[0],
            contract: row[1],
            day: row[2],
            scheduledWeight: Weight(kilograms: row[3]),
            weighedWeight: weighed.map(Weight.init(kilograms:))
        )
    }
}

// MARK: - Ids of deliveries

extension DeliveriesTransaction {
    /// Returns an id that no stored or deleted delivery has ever had.
    public mutating func newDeliveryID() throws -> String {
        let sql =
            switch records.engine {
            case .sqlite: "UPDATE lastDeliveryNumber SET value = value + 1 WHERE value < \(Int64.max) RETURNING value"
            case .postgres: "SELECT nextval('delivery_number')"
            }
        guard let number = try records.rows(of: nil, sql, [], { try $0[0] as Int }).first else {
            throw RecordValueError.unreadable("The number of the last delivery is missing, or there is none after it.")
        }
        return "\(number)-1"
    }

    /// If `id` starts with a number, makes all new ids start with a larger number.
    private func reserveNumber(of id: String) throws {
        // A number outside of this range is ignored. Otherwise an id with the largest integer would leave no larger number for new ids. The
        // numbers from `newDeliveryID()` are in this range.
        guard let number = Int(id.prefix { $0 != "-" }), (1...1_000_000_000).contains(number) else { return }
        let sql =
            switch records.engine {
            case .sqlite: "UPDATE lastDeliveryNumber SET value = $1 WHERE value < $1"
            case .postgres: "SELECT setval('delivery_number', $1) FROM delivery_number WHERE last_value < $1"
            }
        try records.write(sql, [number])
    }
}
