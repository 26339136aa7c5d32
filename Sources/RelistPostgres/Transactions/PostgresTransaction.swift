public import ScreenService

/// A transaction on one connection to PostgreSQL. Its topics are announced to all replicas.
///
/// A statement that writes can fail and be caught. After a statement that only reads has failed, no other one runs, and the
/// transaction fails. The same holds after any statement that was stopped, for which the connection broke, or that another
/// transaction is in the way of; then the transaction runs again where that can help.
public final class PostgresTransaction: RecordTransaction {
    public let engine = RecordEngine.postgres
    private let connection: PostgresConnection
    private let isReadOnly: Bool
    private let recorder: ReadRecorder?
    private let deadline: PostgresConnection.Instant
    private let isGivenUp: (() -> Bool)?
    /// What begins it, sent with its first statement.
    private var beginning: [Statement]
    private(set) var touched: Set<Topic> = []
    /// Whether its commit gets a position though it touches nothing.
    private var isPositionDrawn = false
    /// The error that has ended it. A body that catches it does not keep the transaction alive.
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

    /// Whether a statement has run.
    var hasBegun: Bool { beginning.isEmpty }

    /// Has its commit get a position, whatever it touches.
    func drawPosition() {
        isPositionDrawn = true
    }

    /// Commits, and has all replicas told what it has touched, in the same round trip.
    ///
    /// - Returns: the position of the commit; nil where it has none.
    /// - Throws: ``PostgresError/commitInDoubt``; or why nothing was committed.
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
                // Held to the end of the commit, so that positions grow in the order of commits.
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

    /// Says that data of a topic was read.
    public func recordRead(of topic: Topic) {
        recorder?.record(topic)
    }

    /// Has a topic announced when the transaction is committed; nothing in one that only reads.
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
        let isQuestion = isReadOnly || RecordSQL.isQuestion(sql, announcing: announced)
        let statement = try statement(sql, arguments, isComparing: isQuestion)
        let result = isQuestion ? try run([statement])[0] : try change(statement)
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

    /// Runs a statement that writes, within a savepoint: a statement that fails ends the transaction otherwise. Where the connection
    /// broke or another transaction is in the way, the transaction ends all the same, and runs again: see ``failure``. Without that, a later
    /// statement would roll back to the savepoint of this one, and what comes after it would be committed.
    private func change(_ statement: Statement) throws(PostgresError) -> PostgresResult {
        guard !isReadOnly else { return try run([statement])[0] }
        do {
            return try run([Statement("SAVEPOINT relist"), statement, Statement("RELEASE SAVEPOINT relist")])[1]
        } catch {
            switch error {
            case .constraint, .refused:
                let undoing = try? run([Statement("ROLLBACK TO SAVEPOINT relist"), Statement("RELEASE SAVEPOINT relist")])
                if undoing == nil { failure = failure ?? error }
            default: break
            }
            throw error
        }
    }

    /// The key columns of an index, by its name. Of several schemas with such an index the one that the search path finds is taken.
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

    /// Runs statements in one round trip, of which nobody is told.
    func run(_ statements: [Statement]) throws(PostgresError) -> [PostgresResult] {
        if let failure { throw failure }
        let all = beginning + statements
        beginning = []
        do {
            let results = try connection.run(all, until: deadline, isGivenUp: isGivenUp)
            return Array(results.suffix(statements.count))
        } catch {
            switch error {
            case .constraint, .refused: break
            default: failure = error
            }
            throw error
        }
    }
}
