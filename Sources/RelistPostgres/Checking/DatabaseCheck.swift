import ScreenService

/// A check of a PostgreSQL database. It changes nothing, because its session is read-only.
struct DatabaseCheck {
    /// The maximum duration of a statement.
    static let timeLimit = Duration.seconds(10)

    /// The address of the database, with read-only sessions.
    let address: PostgresAddress
    let schema: PostgresSchema
    /// The maximum number of connections for the transactions of screens.
    let width: Int

    private var database: String { address.description }

    /// Returns the findings. Throws a `PostgresOpeningError` if the server cannot be reached or is not supported.
    func findings() throws -> [CheckFinding] {
        do {
            let connection = try connected()
            try schema.checkServer(connection, of: database)
            let server = try ServerFacts(connection, until: .now + Self.timeLimit)
            let version = connection.serverVersion
            let reached = CheckFinding.ok("database", "\(database) answers, with PostgreSQL \(version / 10_000).\(version % 10_000)")
            return [reached] + server.findings(needing: ConnectionPool.connectionCount(width: width)) + (try schemaFindings(on: connection))
        } catch {
            throw PostgresSchema.opening(error, of: database)
        }
    }

    /// Connects as a store does. If no server accepts writes, connects to any server, so that the check can report the reason.
    private func connected() throws -> PostgresConnection {
        do {
            return try PostgresConnection(to: address, statementTimeout: Self.timeLimit)
        } catch {
            guard let any = try? PostgresConnection(to: address.ofAnyServer, statementTimeout: Self.timeLimit) else { throw error }
            return any
        }
    }

    // MARK: - Schema and rights

    private func schemaFindings(on connection: PostgresConnection) throws -> [CheckFinding] {
        let rights = try Rights(connection, ofStores: address.schema, until: .now + Self.timeLimit)
        guard rights.hasMigrations else {
            let finding = CheckFinding.ok("schema", "the server creates its tables at its start")
            return [finding, rightsFinding(rights.mayCreateSchemas ? rights.missing : ["CREATE ON DATABASE"] + rights.missing)]
        }
        // Without this right, the migrations cannot be read.
        guard rights.mayReadMigrations else { return [rightsFinding(rights.missing)] }
        let pending: [PostgresMigration]
        do {
            pending = try schema.pending(on: connection, of: database, until: .now + Self.timeLimit)
        } catch let error as PostgresOpeningError {
            return [.error("schema", error.description), rightsFinding(rights.missing)]
        }
        guard !pending.isEmpty else { return [.ok("schema", "it is the schema of this program"), rightsFinding(rights.missing)] }
        let steps = pending.map(\.name).joined(separator: ", ")
        let text = "the server runs these migrations at its start: \(steps). Back up first, since they cannot be undone."
        let needed = PostgresSchema.isOfService(pending) ? rights.missingForMigrations : rights.missingForRecords
        return [.warning("schema", text), rightsFinding(rights.missing + needed)]
    }

    private func rightsFinding(_ missing: [String]) -> CheckFinding {
        guard !missing.isEmpty else { return .ok("rights", "the user has the rights that a server needs") }
        let text =
            "the user lacks \(missing.joined(separator: ", ")). GRANT that, or for a migration start the service once as another user."
        return .error("rights", text)
    }
}
