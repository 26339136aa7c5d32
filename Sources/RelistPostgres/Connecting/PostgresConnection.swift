import CPostgres
import Glibc

/// A statement with what is bound to its places, `$1` and so on.
struct Statement {
    let sql: String
    var arguments: [PostgresArgument] = []

    init(_ sql: String, _ arguments: [PostgresArgument] = []) {
        (self.sql, self.arguments) = (sql, arguments)
    }
}

/// A connection to the server. Each statement is prepared once; what is asked together is answered in one round trip.
///
/// Unchecked, as whoever has it from the pool, or made it, uses it alone.
final class PostgresConnection: @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant

    /// How many statements are kept prepared.
    private static let preparedLimit = 500
    let connection: OpaquePointer
    /// The epoch of the pool in which it was made: see ``ConnectionPool/renew()``.
    var epoch = 0
    private var prepared: [String: String] = [:]
    private var preparedCount = 0
    /// Whether it can be used no more.
    var isBroken = false
    /// Whether the server was asked to stop a statement: it may hear of that during another one.
    var wasCancelled = false
    /// The number of commits for which the server has stopped waiting for the standby.
    private var brokenWaitCount = 0
    /// The source file of PostgreSQL that warns of such a commit (`SyncRepWaitForLSN`). Nothing else distinguishes that warning: its SQLSTATE is
    /// that of all warnings, and its text is in the language of the server.
    private static let waitingSource = "syncrep.c"

    /// Connects, on the thread that calls.
    ///
    /// - Parameters:
    ///   - statementTimeout: the time after which the server stops a statement.
    ///   - isForWrites: a Boolean value that indicates whether its statements use an index wherever there is one.
    /// - Throws: ``PostgresError/unreachable(reason:)``, ``PostgresError/refused(state:message:)``
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
        try prepareSession(statementTimeout, isForWrites, address.schema)
    }

    deinit {
        PQfinish(connection)
    }

    /// As the server counts them: 150018 is 15.18.
    var serverVersion: Int { Int(PQserverVersion(connection)) }
    var serverEncoding: String { PQparameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? "" }
    var descriptor: Int32 { PQsocket(connection) }
    /// The process of the server that works for it.
    var serverProcess: Int { Int(PQbackendPID(connection)) }
    /// Whether it can be used for another transaction.
    var isIdle: Bool { !isBroken && !wasCancelled && PQtransactionStatus(connection) == PQTRANS_IDLE }

    /// Bounds for what a replica leaves behind that stands still or goes: transactions, and with them their locks. What is
    /// acknowledged is durable, and where the standby is waited for it has it, whatever the role or the server is set to.
    private func prepareSession(_ statementTimeout: Duration, _ isForWrites: Bool, _ schema: String?) throws(PostgresError) {
        // Whoever opens the database refuses it.
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
            \(schema.map { "SET search_path = \"\($0.replacing("\"", with: "\"\""))\", public;" } ?? "")
            """,
            until: .now + .seconds(5)
        )
    }

    /// A serialisable transaction that scans a table conflicts with each one that changes a row of it; where it uses an index, with those
    /// that change what it has read (PostgreSQL 15, section 13.2.3). The planner scans small tables, as that is a little quicker.
    /// With `enable_seqscan = off` the planner overestimates scans, and would compile them; so JIT is off.
    private static let preferringIndexes = "SET enable_seqscan = off; SET jit = off;"

    private static func reason(_ connection: OpaquePointer) -> String {
        let text = String(cString: PQerrorMessage(connection))
        // For several hosts there is a line for each, and below it what to do, indented.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\t") }.joined(separator: "; ")
    }
}

// MARK: - Statements

extension PostgresConnection {
    /// Runs statements in one round trip, and gives their results.
    ///
    /// - Throws: why the first of them failed that did; those behind it have not run.
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

    /// Commits, with statements before it in the same round trip.
    ///
    /// - Returns: the results of those statements.
    /// - Throws: ``PostgresError/commitInDoubt``; or why nothing was committed.
    func commit(_ statements: [Statement], until deadline: Instant) throws(PostgresError) -> [PostgresResult] {
        let brokenWaits = brokenWaitCount
        let results = exchange(statements + [Statement("COMMIT")], until: deadline, isGivenUp: nil)
        // The server answers in order: where it says why one failed, those behind it have not run. Where the connection broke, the
        // first that was not answered stands for all: each may have been done.
        for result in results.prefix(statements.count) where !result.isSuccess { throw result.isOfServer ? result.error : .commitInDoubt }
        guard results.count > statements.count, let committed = results.last else { throw .commitInDoubt }
        guard committed.isSuccess else { throw committed.isFatal ? .commitInDoubt : committed.error }
        try committed.requireCommit()
        guard brokenWaitCount == brokenWaits else { throw .commitInDoubt }
        return results
    }

    /// Commits what has only read, which cannot be in doubt.
    func endReading(until deadline: Instant) throws(PostgresError) {
        try run([Statement("COMMIT")], until: deadline)[0].requireCommit()
    }

    /// Runs statements that nothing is bound to, and whose results nobody sees. Those that begin no transaction are one.
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

    /// Lets go of statements that were prepared, where there are many or they are out of date.
    func forgetPrepared(all: Bool) {
        guard all ? !prepared.isEmpty : prepared.count > Self.preparedLimit, isIdle else { return }
        prepared = [:]
        try? script("DEALLOCATE ALL", until: .now + .seconds(2))
    }

    private func broken() -> PostgresError {
        isBroken = true
        return .unreachable(reason: Self.reason(connection))
    }

    /// - Returns: what was answered: to all, unless one failed or the connection broke.
    private func exchange(_ statements: [Statement], until deadline: Instant, isGivenUp: (() -> Bool)?) -> [PostgresResult] {
        guard !isBroken, PQenterPipelineMode(connection) == 1 else { return [] }
        var asked: [(name: String, isPreparing: Bool, sql: String)] = []
        for statement in statements {
            var name = prepared[statement.sql] ?? asked.first { $0.sql == statement.sql }?.name
            if name == nil {
                preparedCount += 1
                name = "relist\(preparedCount)"
                guard PQsendPrepare(connection, name, statement.sql, 0, nil) == 1 else { return failed() }
                asked.append((name!, true, statement.sql))
            }
            guard send(name!, statement.arguments) else { return failed() }
            asked.append((name!, false, statement.sql))
        }
        guard PQpipelineSync(connection) == 1 else { return failed() }
        let results = results(of: asked, until: deadline, isGivenUp)
        if PQexitPipelineMode(connection) != 1 { isBroken = true }
        return results
    }

    private func failed() -> [PostgresResult] {
        isBroken = true
        return []
    }

    private func results(
        of asked: [(name: String, isPreparing: Bool, sql: String)], until deadline: Instant, _ isGivenUp: (() -> Bool)?
    ) -> [PostgresResult] {
        var results: [PostgresResult] = []
        var hasFailed = false
        for (name, isPreparing, sql) in asked {
            guard let result = nextResult(until: deadline, isGivenUp: isGivenUp) else {
                isBroken = true
                return results
            }
            // Each is followed by nothing.
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
    /// Whether the statement was done.
    var isSuccess: Bool { status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK }

    /// - Throws: what is wrong with a COMMIT that was answered with ROLLBACK.
    fileprivate func requireCommit() throws(PostgresError) {
        if command != "COMMIT" { throw .refused(state: "25P02", message: "a statement of it had failed") }
    }
}
