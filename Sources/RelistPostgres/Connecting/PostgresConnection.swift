import CPostgres
import Glibc

/// A statement with the arguments for its parameters `$1`, `$2` and so on.
struct Statement {
    let sql: String
    var arguments: [PostgresArgument] = []

    init(_ sql: String, _ arguments: [PostgresArgument] = []) {
        (self.sql, self.arguments) = (sql, arguments)
    }
}

/// A connection to the server. Each statement is prepared once. Statements that are sent together need only one round trip. `Sendable` is
/// unchecked: a thread takes a connection from the pool or opens it, and no other thread uses it at the same time.
final class PostgresConnection: @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The maximum number of prepared statements. If there are more, all prepared statements are deallocated.
    private static let preparedLimit = 500
    let connection: OpaquePointer
    /// The epoch of the pool when the connection was opened.
    var epoch = 0
    private var prepared: [String: String] = [:]
    private var preparedCount = 0
    var isBroken = false
    /// A Boolean value that indicates whether a cancel request was queued. The cancel request may reach the server during a later
    /// statement.
    var wasCancelled = false
    /// The number of commits that did not wait for the standby.
    private var brokenWaitCount = 0
    /// The source file of PostgreSQL that emits the warning about a commit that did not wait for the standby (`SyncRepWaitForLSN`). Only
    /// the file identifies the warning: all warnings have the same SQLSTATE, and their texts are translated.
    private static let waitingSource = "syncrep.c"

    /// Connects to the server, and blocks the current thread. If `isForWrites` is true, the planner prefers indexes to scans of whole
    /// tables.
    init(to address: PostgresAddress, statementTimeout: Duration, isForWrites: Bool = false) throws(PostgresError) {
        guard let connection = address.connect() else { throw .unreachable(reason: "there is no memory") }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else { throw .unreachable(reason: Self.reason(connection)) }
        PQsetnonblocking(connection, 1)
        let count: PQnoticeReceiver = { context, notice in
            guard let context, let source = PQresultErrorField(notice, relist_pg_source_file) else { return }
            guard String(cString: source) == PostgresConnection.waitingSource else { return }
            Unmanaged<PostgresConnection>.fromOpaque(context).takeUnretainedValue().brokenWaitCount += 1
        }
        PQsetNoticeReceiver(connection, count, Unmanaged.passUnretained(self).toOpaque())
        try prepareSession(statementTimeout, isForWrites, address)
    }

    deinit {
        PQfinish(connection)
    }

    /// The version of the server as a number, such as 150018 for version 15.18.
    var serverVersion: Int { Int(PQserverVersion(connection)) }
    var serverEncoding: String { PQparameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? "" }
    var descriptor: Int32 { PQsocket(connection) }
    var serverProcess: Int { Int(PQbackendPID(connection)) }
    /// A Boolean value that indicates whether the connection can be used for another transaction.
    var isIdle: Bool { !isBroken && !wasCancelled && PQtransactionStatus(connection) == PQTRANS_IDLE }

    /// Sets the parameters of the session. If a replica hangs or disappears, timeouts end its transactions and release their locks.
    /// `synchronous_commit` is at least `on`, so that an acknowledged commit is durable regardless of the settings of the role and the
    /// database.
    private func prepareSession(_ statementTimeout: Duration, _ isForWrites: Bool, _ address: PostgresAddress) throws(PostgresError) {
        // An older server lacks some of these parameters. `PostgresSchema` rejects such a server later.
        guard serverVersion >= PostgresSchema.oldestServer else { return }
        try script(
            """
            SET statement_timeout = \(Int(statementTimeout / .milliseconds(1)));
            SET idle_in_transaction_session_timeout = '10s';
            SET client_connection_check_interval = '1s';
            SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000;
            SET client_min_messages = warning;
            SELECT set_config('synchronous_commit', CASE WHEN setting IN ('off', 'local') THEN 'on' ELSE setting END, false)
                FROM current_setting('synchronous_commit') AS setting;
            \(isForWrites ? Self.preferringIndexes : "")
            \(address.isReadOnly ? "SET default_transaction_read_only = on;" : "")
            \(address.schema.map { "SET search_path = \"\($0.replacing("\"", with: "\"\""))\", public;" } ?? "")
            """,
            until: .now + .seconds(5)
        )
    }

    /// Settings that make the planner prefer indexes.
    ///
    /// A serializable transaction that scans a table conflicts with each transaction that changes a row of the table. A transaction that
    /// uses an index conflicts only with changes of the rows that it has read (PostgreSQL 15, section 13.2.3). By default, the planner
    /// scans small tables. With `enable_seqscan = off`, it overestimates the cost of scans. JIT is off, because the planner would compile
    /// scans with a high estimated cost.
    private static let preferringIndexes = "SET enable_seqscan = off; SET jit = off;"

    private static func reason(_ connection: OpaquePointer) -> String {
        let text = String(cString: PQerrorMessage(connection))
        // For several hosts, the message has a line for each host, followed by indented hints.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\t") }.joined(separator: "; ")
    }
}

// MARK: - Statements

extension PostgresConnection {
    /// Runs statements in one round trip. Throws the error of the first statement that failed. The statements after it have not run.
    func run(
        _ statements: [Statement], until deadline: Instant, isGivenUp: (() -> Bool)? = nil
    ) throws(PostgresError) -> [PostgresResult] {
        guard statements.allSatisfy({ $0.arguments.count <= Int(UInt16.max) }) else {
            throw .refused(state: "54023", message: "a statement has more than \(UInt16.max) arguments")
        }
        let results = exchange(statements, until: deadline, isGivenUp: isGivenUp)
        for result in results where !result.isSuccess { throw result.error }
        guard results.count == statements.count else { throw .unreachable(reason: Self.reason(connection)) }
        return results
    }

    /// Runs statements and commits the transaction, in one round trip. Returns the results of the statements. Throws
    /// ``PostgresError/commitInDoubt``, or the error that prevented the commit.
    func commit(_ statements: [Statement], until deadline: Instant) throws(PostgresError) -> [PostgresResult] {
        let brokenWaits = brokenWaitCount
        let results = exchange(statements + [Statement("COMMIT")], until: deadline, isGivenUp: nil)
        // If the server reported an error for a statement, it has run neither the following statements nor COMMIT. If the connection is
        // broken, each statement without a result may have run, including COMMIT.
        for result in results.prefix(statements.count) where !result.isSuccess { throw result.isOfServer ? result.error : .commitInDoubt }
        guard results.count > statements.count, let committed = results.last else { throw .commitInDoubt }
        guard committed.isSuccess else { throw committed.isFatal ? .commitInDoubt : committed.error }
        try committed.requireCommit()
        guard brokenWaitCount == brokenWaits else { throw .commitInDoubt }
        return results
    }

    /// Commits a transaction that has only read. Such a commit changes nothing, so its outcome is never in doubt.
    func endReading(until deadline: Instant) throws(PostgresError) {
        try run([Statement("COMMIT")], until: deadline)[0].requireCommit()
    }

    /// Runs statements without arguments as one transaction, unless they begin a transaction themselves. Discards their results.
    func script(_ sql: String, until deadline: Instant, isGivenUp: (() -> Bool)? = nil) throws(PostgresError) {
        guard !isBroken, PQsendQuery(connection, sql) == 1 else { throw broken() }
        var failure: PostgresError?
        while true {
            guard let result = nextResult(until: deadline, isGivenUp: isGivenUp) else {
                if isBroken { throw failure ?? broken() }
                break
            }
            if !result.isSuccess { failure = failure ?? result.error }
        }
        if let failure { throw failure }
    }

    /// Deallocates the prepared statements if there are too many, or if `all` is true because they are out of date.
    func deallocateStatements(all: Bool) {
        guard all ? !prepared.isEmpty : prepared.count > Self.preparedLimit, isIdle else { return }
        prepared = [:]
        try? script("DEALLOCATE ALL", until: .now + .seconds(2))
    }

    private func broken() -> PostgresError {
        isBroken = true
        return .unreachable(reason: Self.reason(connection))
    }

    /// Sends statements in one pipeline, and returns their results. If a statement fails, its result is the last one. If the connection
    /// breaks, results are missing.
    private func exchange(_ statements: [Statement], until deadline: Instant, isGivenUp: (() -> Bool)?) -> [PostgresResult] {
        guard !isBroken, PQenterPipelineMode(connection) == 1 else { return [] }
        var sent: [(name: String, isPreparing: Bool, sql: String)] = []
        for statement in statements {
            var name = prepared[statement.sql] ?? sent.first { $0.sql == statement.sql }?.name
            if name == nil {
                preparedCount += 1
                name = "relist\(preparedCount)"
                guard PQsendPrepare(connection, name, statement.sql, 0, nil) == 1 else { return failed() }
                sent.append((name!, true, statement.sql))
            }
            guard send(name!, statement.arguments) else { return failed() }
            sent.append((name!, false, statement.sql))
        }
        guard PQpipelineSync(connection) == 1 else { return failed() }
        let results = results(of: sent, until: deadline, isGivenUp)
        if PQexitPipelineMode(connection) != 1 { isBroken = true }
        return results
    }

    private func failed() -> [PostgresResult] {
        isBroken = true
        return []
    }

    private func results(
        of sent: [(name: String, isPreparing: Bool, sql: String)], until deadline: Instant, _ isGivenUp: (() -> Bool)?
    ) -> [PostgresResult] {
        var results: [PostgresResult] = []
        var hasFailed = false
        for (name, isPreparing, sql) in sent {
            guard let result = nextResult(until: deadline, isGivenUp: isGivenUp) else {
                isBroken = true
                return results
            }
            // If a statement does not have exactly one result, the connection is treated as broken.
            guard result.status != PGRES_PIPELINE_SYNC, nextResult(until: deadline, isGivenUp: nil) == nil, !isBroken else {
                isBroken = true
                if !hasFailed, !isPreparing || !result.isSuccess { results.append(result) }
                return results
            }
            if hasFailed { continue }
            if !result.isSuccess {
                hasFailed = true
                results.append(result)
            } else if isPreparing {
                prepared[sql] = name
            } else {
                results.append(result)
            }
        }
        if nextResult(until: deadline, isGivenUp: nil)?.status != PGRES_PIPELINE_SYNC { isBroken = true }
        return results
    }

    private func send(_ name: String, _ arguments: [PostgresArgument]) -> Bool {
        var (lengths, formats): ([Int32], [Int32]) = ([], [])
        let values = arguments.map { argument -> UnsafeMutablePointer<CChar>? in
            switch argument {
            case .null:
                lengths.append(0)
                formats.append(0)
                return nil
            case .text(let text):
                lengths.append(0)
                formats.append(0)
                return strdup(text)
            case .bytes(let bytes):
                lengths.append(Int32(bytes.count))
                formats.append(1)
                let copy = malloc(max(1, bytes.count))
                copy?.copyMemory(from: bytes, byteCount: bytes.count)
                return copy?.assumingMemoryBound(to: CChar.self)
            }
        }
        defer { for value in values { free(value) } }
        return values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
            PQsendQueryPrepared(connection, name, Int32(values.count), values.baseAddress, lengths, formats, 1) == 1
        }
    }
}

extension PostgresResult {
    var isSuccess: Bool { status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK }

    /// Throws an error if the server has answered COMMIT with ROLLBACK.
    fileprivate func requireCommit() throws(PostgresError) {
        if command != "COMMIT" { throw .refused(state: "25P02", message: "a statement of it had failed") }
    }
}
