public import Logging
public import ScreenService

extension PostgresServiceStore {
    /// Checks whether a server could use a database. The check changes nothing, because its sessions are read-only.
    ///
    /// - Parameters:
    ///   - url: the URL, as for ``open(url:migrations:connections:timeLimit:schema:logger:fill:)``.
    ///   - migrations: the migrations of the stores that share the database.
    ///   - connections: the maximum number of connections for the transactions of screens.
    ///   - schema: the first schema that is searched for a table.
    /// - Returns: the findings, and a store whose writes fail. There is no store if the database cannot be reached.
    public static func check(
        url: String, migrations: [PostgresMigration] = [], connections: Int = 10, schema: String? = nil, logger: Logger
    ) async -> StoreCheck<PostgresServiceStore> {
        await check(url: url, PostgresSchema(adding: migrations), connections: connections, schema: schema, logger: logger)
    }

    static func check(
        url: String, _ migrations: PostgresSchema, connections: Int = 10, schema: String? = nil, logger: Logger
    ) async -> StoreCheck<PostgresServiceStore> {
        do {
            let address = try PostgresAddress(url, schema: schema).readOnly
            let check = DatabaseCheck(address: address, schema: migrations, width: connections)
            let findings = try await BlockingWork(width: 1, waitingLimit: 1).run { try check.findings() }
            let pool = ConnectionPool(to: address, width: connections, timeLimit: DatabaseCheck.timeLimit)
            return StoreCheck(findings: findings, store: PostgresServiceStore(database: Database(pool: pool, logger: logger)))
        } catch {
            return StoreCheck(findings: [.error("database", "\(error)")])
        }
    }
}
