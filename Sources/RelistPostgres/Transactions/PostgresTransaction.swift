public import ScreenService

/// A transaction on one connection to PostgreSQL. When it is committed, its topics are announced to all replicas.
///
/// The body can catch the error of a statement that writes, and continue. After the error of a statement that only reads, no later
/// statement runs, and the transaction fails, even if the body catches the error. A transaction also fails if a statement was cancelled,
/// lost its connection, or conflicted with another transaction. In these cases, the transaction runs again if a new attempt can succeed.
public final class PostgresTransaction: RecordTransaction {
    public let engine = RecordEngine.postgres
    private let connection: PostgresConnection
    private let isReadOnly: Bool
    private let recorder: ReadRecorder?
    private let deadline: PostgresConnection.Instant
    private let isGivenUp: (() -> Bool)?
    /// The statements that begin the transaction. They are sent together with the first statement of the body.
    private var beginning: [Statement]
    /// The topics to announce with the commit.
    private(set) var touched: Set<Topic> = []
    /// A Boolean value that indicates whether the commit has a position even if the transaction touches no topic.
    private var isPositionDrawn = false
    /// The error that has ended the transaction; `nil` if no error has ended it. It is set even if the body has caught the error.
    private var failure: PostgresError?

    init(
        on connection: PostgresConnection, begunBy beginning: [Statement], isReadOnly: Bool = false, recorder: ReadRecorder?,
        until deadline: PostgresConnection.Instant, isGivenUp: (() -> Bool)? = nil
    ) {
        self.connection = connection
        self.isReadOnly = isReadOnly
        self.beginning = beginning
        self.recorder = recorder
        self.deadline = deadline
        self.isGivenUp = isGivenUp
    }

    private var hasBegun: Bool { beginning.isEmpty }

    /// Requests a position for the commit, even if the transaction touches no topic.
    func drawPosition() {
        isPositionDrawn = true
    }

    /// Commits the transaction, and announces the touched topics to all replicas, in one round trip. Returns the position of the commit, or
    /// `nil` if it has none.
    func commit() throws -> Position? {
        if let failure { throw failure }
        guard !touched.isEmpty || isPositionDrawn && hasBegun else {
            guard hasBegun else { return nil }
            if isReadOnly {
                try connection.endReading(until: deadline)
            } else {
                _ = try connection.commit([], until: deadline)
            }
            return nil
        }
        let lines = TopicsText.lines(of: touched)
        let isInTable = lines.utf8.count > TopicsText.byteLimit
        let results = try connection.commit(
            beginning + [
                Statement("SELECT pg_advisory_xact_lock($1, $2)", AdvisoryLock.commits.arguments),
                Statement(isInTable ? Self.announcingInTable : Self.announcing, [.text(lines)]),
            ],
            until: deadline
        )
        return Position(number: try results[beginning.count + 1].row(0)[0])
    }

    private static let announcing = """
        WITH drawn AS MATERIALIZED (SELECT nextval('relist.position') AS position)
        SELECT position, pg_notify('\(CommitListener.channel)', position || $1::text)::text FROM drawn
        """
    private static let announcingInTable = """
        WITH drawn AS MATERIALIZED (SELECT nextval('relist.position') AS position),
            kept AS (INSERT INTO relist.announcement (position, topics) SELECT position, $1 FROM drawn)
        SELECT position, pg_notify('\(CommitListener.channel)', position || '\(TopicsText.inTable)')::text FROM drawn
        """

    /// Records that data of a topic was read.
    public func recordRead(of topic: Topic) {
        recorder?.record(topic)
    }

    /// Announces a topic after the transaction is committed. In a read transaction, this function has no effect.
    public func announce(_ topic: Topic) {
        if !isReadOnly { touched.insert(topic) }
    }
}

// MARK: - Statements

extension PostgresTransaction {
    public func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> [Value] {
        if let topic { recordRead(of: topic) }
        let readsOnly = isReadOnly || RecordSQL.readsOnly(sql, announcing: announced)
        let statement = try statement(sql, arguments, isComparing: readsOnly)
        let result = readsOnly ? try run([statement])[0] : try change(statement)
        touch(announced, by: sql, changing: result.changedCount)
        return try (0..<result.rowCount).map { try value(result.row($0)) }
    }

    private func statement(_ sql: String, _ arguments: [(any RecordValue)?], isComparing: Bool) throws(RecordValueError) -> Statement {
        Statement(sql, try RecordSQL.scalars(arguments, in: sql, isComparing: isComparing).map(PostgresArgument.init))
    }

    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> Value? {
        try rows(of: topic, sql, arguments, announcing: announced, value).first
    }

    @discardableResult
    public func write(
        _ sql: String, _ arguments: [(any RecordValue)?], announcing topics: [Topic], ifTaken taken: (any Error)?, key: [String],
        ifOrphaned orphaned: (any Error)?
    ) throws -> Int {
        let statement = try statement(sql, arguments, isComparing: isReadOnly)
        do {
            let count = try change(statement).changedCount
            touch(topics, by: sql, changing: count)
            return count
        } catch {
            let cause: (any Error)? =
                switch error {
                case .constraint(.unique, let name): try key.isEmpty || taken == nil || columns(ofIndex: name) == key ? taken : nil
                case .constraint(.foreignKey, _): orphaned
                default: nil
                }
            throw cause ?? error
        }
    }

    private func touch(_ topics: [Topic], by sql: String, changing count: Int) {
        if !isReadOnly, !topics.isEmpty, count > 0 || !RecordSQL.isCounted(sql) { touched.formUnion(topics) }
    }

    /// Runs a statement that writes, within a savepoint. Without a savepoint, any error of the statement would end the transaction.
    ///
    /// Two errors end the transaction even with a savepoint: a temporary error, and a failed rollback to the savepoint. After a failed
    /// rollback, PostgreSQL would reject the next statement, even a correct one. If the rollback for that statement succeeded, the
    /// transaction could be committed without that statement.
    private func change(_ statement: Statement) throws(PostgresError) -> PostgresResult {
        guard !isReadOnly else { return try run([statement])[0] }
        do {
            return try run([Statement("SAVEPOINT relist"), statement, Statement("RELEASE SAVEPOINT relist")])[1]
        } catch {
            switch error {
            case .constraint,
                .refused where !error.isTransient:
                failure = nil
                if (try? run([Statement("ROLLBACK TO SAVEPOINT relist"), Statement("RELEASE SAVEPOINT relist")])) == nil {
                    failure = error
                }
            default: break
            }
            throw error
        }
    }

    /// Returns the key columns of an index. If several schemas have an index with this name, an index in the search path is preferred.
    private func columns(ofIndex name: String) throws -> [String] {
        let sql = """
            SELECT attname::text FROM pg_index, unnest(indkey) WITH ORDINALITY AS key (number, place)
                JOIN pg_attribute ON attnum = key.number
            WHERE attrelid = indrelid AND place <= indnkeyatts AND indexrelid = (
                SELECT oid FROM pg_class WHERE relname = $1 AND relkind IN ('i', 'I') ORDER BY pg_table_is_visible(oid) DESC LIMIT 1
            ) ORDER BY place
            """
        return try rows(of: nil, sql, [name]) { try $0[0] }
    }

    /// Runs statements in one round trip, without recording topics. An error ends the transaction.
    func run(_ statements: [Statement]) throws(PostgresError) -> [PostgresResult] {
        if let failure { throw failure }
        let all = beginning + statements
        beginning = []
        do {
            let results = try connection.run(all, until: deadline, isGivenUp: isGivenUp)
            return Array(results.suffix(statements.count))
        } catch {
            failure = error
            throw error
        }
    }
}
