public import Logging
public import ScreenService

/// What the service itself keeps, in PostgreSQL, for any number of replicas: in the schema `relist` of a database that the stores
/// of screens can share.
///
/// Reads record their topics; commits announce those that they touched to all replicas; the first commit of an action takes its
/// receipt along, and none is made of an action that was given up. What is written is serialisable: a transaction that another
/// one was in the way of runs again.
public final class PostgresServiceStore: ServiceStoring, RecordStoring {
    let database: Database

    private init(database: Database) {
        self.database = database
    }

    /// Opens a database, and brings the tables in it up to date while all other replicas wait.
    ///
    /// - Parameters:
    ///   - url: such as `postgres://relist@db1,db2/relist`. Of several hosts the one is taken that takes writes.
    ///   - migrations: the steps to the tables of those who share the database, always in the same order.
    ///   - connections: the maximum number of connections for the transactions of screens, half of them for writes; two at least. Beside
    ///     them are two for history, one for look-ups of receipts, one that hears of commits, one for each ``whileLeading(_:_:)``, and now
    ///     and then one that forgets. The server's `max_connections` is for all replicas together.
    ///   - timeLimit: how long a statement may take, and a transaction.
    ///   - schema: the schema in which tables lie that a statement names without one, before `public`; nil for `public` alone.
    ///   - fill: inserts what is to be there at the start, each time that the database is opened, by one replica at a time.
    /// - Throws: the ``PostgresOpeningError`` that keeps the database from being used. Nothing in it was changed then, unless the connection
    ///   broke at the end.
    public static func open(
        url: String, migrations: [PostgresMigration] = [], connections: Int = 10, timeLimit: Duration = .seconds(10), schema: String? = nil,
        logger: Logger, fill: @escaping @Sendable (PostgresTransaction) throws -> Void = { _ in }
    ) async throws -> PostgresServiceStore {
        try await open(
            at: PostgresAddress(url, schema: schema), schema: PostgresSchema(adding: migrations), connections: connections, timeLimit: timeLimit,
            logger: logger, fill: fill)
    }

    static func open(
        at address: PostgresAddress, schema: PostgresSchema, connections: Int = 10, timeLimit: Duration = .seconds(10), waiting: LockWaiting = LockWaiting(),
        logger: Logger, fill: @escaping @Sendable (PostgresTransaction) throws -> Void = { _ in }
    ) async throws -> PostgresServiceStore {
        let pool = ConnectionPool(to: address, width: connections, timeLimit: timeLimit)
        do {
            try await pool.runApart {
                let connection = try PostgresConnection(to: address, statementTimeout: timeLimit)
                try schema.bringUp(connection, at: address, waiting: waiting, logger: logger, fill: fill)
            }
        } catch {
            await pool.close()
            throw PostgresSchema.opening(error, of: address.description)
        }
        let database = Database(pool: pool, logger: logger)
        await database.listen()
        return PostgresServiceStore(database: database)
    }

    /// Whether a text names a database of PostgreSQL's, as `--database` may.
    public static func isURL(_ text: String) -> Bool { PostgresAddress.isMeant(by: text) }

    /// Those that the stores of screens which share the database announce to.
    public var topics: Topics { database.topics }
    /// The history that lies in the same database. It closes with the store.
    public var history: any HistoryStoring { PostgresHistory(store: database) }
    /// The receipts that lie in the same database. They close with the store.
    public var receipts: any ReceiptStoring { PostgresReceipts(store: database) }

    /// Runs `body` in one read transaction, which sees one state, on a thread of the store's own.
    ///
    /// - Throws: what `body` throws; ``PostgresStoreError``, `DataUnavailable`, ``PostgresError``;
    ///   `CancellationError` where the task is cancelled before the value is returned.
    public func read<Value: Sendable>(_ body: @Sendable @escaping (PostgresTransaction) throws -> Value) async throws -> Value {
        try await database.read(topics.recorder, body)
    }

    /// Runs `body` in one write transaction, on a thread of the store's own. Where `body` throws, nothing
    /// of it is kept. Cancelling the task does not stop a write that has begun. When it returns, this replica has heard of the
    /// commit, or hears of none.
    ///
    /// Where another transaction was in the way it runs again: `body` changes nothing but the database.
    ///
    /// - Throws: what `body` throws; ``PostgresStoreError``, `DataUnavailable`, ``PostgresError``;
    ///   `ReceiptTaken` and `DeadlineFault` in an action that was performed or given up before; `OtherTopics` in one of a
    ///   service whose own store is another.
    public func write<Value: Sendable>(_ body: @Sendable @escaping (PostgresTransaction) throws -> Value) async throws -> Value {
        try await database.write(for: ActionAttempt.current, topics.recorder, body).value
    }

    /// The secret of the given length, generated by the first replica that requests it and shared by all.
    ///
    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func secret(byteCount: Int) async throws -> [UInt8] {
        try await database.write(for: nil, isolation: .readCommitted) { transaction in
            // The system's generator is cryptographically secure: on Linux, `getrandom`.
            var generator = SystemRandomNumberGenerator()
            let secret = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try transaction.write("INSERT INTO relist.secret VALUES ($1, $2) ON CONFLICT DO NOTHING", [byteCount, secret])
            return try transaction.row(of: nil, "SELECT bytes FROM relist.secret WHERE byte_count = $1", [byteCount]) { try $0[0] }!
        }.value
    }

    /// Whether data can be read, and what others commit is heard.
    ///
    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func checkReadable() async throws {
        try await database.checkReadable()
    }

    /// The number of reads that wait for a connection, by screen, and of writes that ran again after a conflict.
    public var counts: StoreCounts { database.counts }

    /// Disconnects, once the transactions that have begun have ended; later ones throw ``PostgresStoreError/closed``. History and
    /// receipts close with it. Closing twice does no harm.
    public func close() async {
        await database.close()
    }
}
