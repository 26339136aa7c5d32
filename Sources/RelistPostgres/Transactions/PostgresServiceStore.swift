public import Logging
public import ScreenService

/// A service store in PostgreSQL, for any number of replicas. The tables of the store are in the schema `relist` of a database, which the
/// stores of screens can share.
///
/// Each read records its topics. Each commit announces the touched topics to all replicas. The first commit of an action also stores the
/// receipt of the action. An action that has passed its deadline is not committed. Writes are serializable. A write that conflicts with
/// another write runs again.
///
/// Functions that read or write data can throw ``PostgresStoreError``, `DataUnavailable` and ``PostgresError``.
public final class PostgresServiceStore: ServiceStoring, RecordStoring {
    let database: Database

    init(database: Database) {
        self.database = database
    }

    /// Opens a database, and migrates its tables. Other replicas that start at the same time wait.
    ///
    /// - Parameters:
    ///   - url: a URL such as `postgres://relist@db1,db2/relist`. If the URL names several hosts, the first host that accepts writes is
    ///     used.
    ///   - migrations: the migrations of the stores that share the database, always in the same order.
    ///   - connections: the maximum number of connections for the transactions of screens, at least two. Half of these connections are for
    ///     writes. There are additional connections: two for history, one for look-ups of receipts, one for notifications, one for each
    ///     ``whileLeading(_:_:)``, and sometimes one for removals. The `max_connections` of the server applies to all replicas together.
    ///   - timeLimit: the maximum duration of a statement, and of a transaction.
    ///   - schema: the first schema that is searched for a table if a statement does not name the table's schema. `public` is searched
    ///     next. If `schema` is `nil`, the search path of the server applies.
    ///   - fill: inserts initial rows. It is called each time that the database is opened, in one replica at a time.
    /// - Throws: ``PostgresOpeningError``. The database is then unchanged, unless the connection broke during the commit.
    public static func open(
        url: String, migrations: [PostgresMigration] = [], connections: Int = 10, timeLimit: Duration = .seconds(10), schema: String? = nil,
        logger: Logger, fill: @escaping @Sendable (PostgresTransaction) throws -> Void = { _ in }
    ) async throws -> PostgresServiceStore {
        try await open(
            at: PostgresAddress(url, schema: schema), schema: PostgresSchema(adding: migrations), connections: connections,
            timeLimit: timeLimit,
            logger: logger, fill: fill)
    }

    static func open(
        at address: PostgresAddress, schema: PostgresSchema, connections: Int = 10, timeLimit: Duration = .seconds(10),
        waiting: LockWaiting = LockWaiting(),
        logger: Logger, fill: @escaping @Sendable (PostgresTransaction) throws -> Void = { _ in }
    ) async throws -> PostgresServiceStore {
        let pool = ConnectionPool(to: address, width: connections, timeLimit: timeLimit)
        do {
            try await pool.runOnDedicatedThread {
                let connection = try PostgresConnection(to: address, statementTimeout: timeLimit)
                try schema.migrate(connection, at: address, waiting: waiting, logger: logger, fill: fill)
            }
        } catch {
            await pool.close()
            throw PostgresSchema.opening(error, of: address.description)
        }
        let database = Database(pool: pool, logger: logger)
        await database.listen()
        return PostgresServiceStore(database: database)
    }

    /// Returns a Boolean value that indicates whether a text is a URL of PostgreSQL, and not the path of a file.
    public static func isURL(_ text: String) -> Bool { PostgresAddress.isURL(text) }

    /// The object to which each commit in the database announces its topics. This includes the commits of the stores of screens.
    public var topics: Topics { database.topics }
    /// The history in the database of this store. It is closed with the store.
    public var history: any HistoryStoring { PostgresHistory(store: database) }
    /// The receipts in the database of this store. They are closed with the store.
    public var receipts: any ReceiptStoring { PostgresReceipts(store: database) }

    /// Runs `body` in one read transaction, on a thread of the store. All statements see the same state. Throws `CancellationError` if the
    /// task is cancelled before the value is returned.
    public func read<Value: Sendable>(_ body: @Sendable @escaping (PostgresTransaction) throws -> Value) async throws -> Value {
        try await database.read(topics.recorder, body)
    }

    /// Runs `body` in one write transaction, on a thread of the store. If `body` throws, its changes are rolled back. Cancelling the task
    /// does not stop a write that has begun. When this function returns, the topics of the commit have been announced on this replica.
    /// After a conflict with another transaction, `body` runs again. So `body` must not change anything except the database.
    ///
    /// - Throws: in an action, `ReceiptTaken` if the action was performed before, `DeadlineFault` if the action has passed its deadline,
    ///   and `TopicsMismatch` if the service of the action uses another store.
    public func write<Value: Sendable>(_ body: @Sendable @escaping (PostgresTransaction) throws -> Value) async throws -> Value {
        try await database.write(for: ActionAttempt.current, topics.recorder, body).value
    }

    /// Returns the secret of the given length. The first call by any replica generates the secret, which all replicas share.
    public func secret(byteCount: Int) async throws -> [UInt8] {
        try await database.write(for: nil, isolation: .readCommitted) { transaction in
            // The random generator of the system is cryptographically secure. On Linux, it is `getrandom`.
            var generator = SystemRandomNumberGenerator()
            let secret = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try transaction.write("INSERT INTO relist.secret VALUES ($1, $2) ON CONFLICT DO NOTHING", [byteCount, secret])
            return try transaction.row(of: nil, "SELECT bytes FROM relist.secret WHERE byte_count = $1", [byteCount]) { try $0[0] }!
        }.value
    }

    /// Checks that data can be read, and that the commits of other replicas are received.
    public func checkReadable() async throws {
        try await database.checkReadable()
    }

    public var counts: StoreCounts { database.counts }

    public func observeCommits(_ observer: @escaping @Sendable (Duration) -> Void) {
        database.activity.observeCommits(observer)
    }

    /// Waits until all transactions have ended, and closes the connections, the history and the receipts. Later transactions throw
    /// ``PostgresStoreError/closed``. Repeated calls have no effect.
    public func close() async {
        await database.close()
    }
}
