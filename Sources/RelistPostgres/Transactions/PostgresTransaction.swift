public import ScreenService

/// A transaction on one connection, in which a screen's store reads and writes its records.
///
/// Each read names the topic of what it reads, found or not, so that its coming is announced to whoever
/// missed it; each write names the topics that it makes stale, which are announced to all replicas once it is committed and
/// only if it changed a row. Statements have their arguments as `$1`, `$2` and so on, and are prepared once for a connection.
public final class PostgresTransaction {
    /// A value of a statement's argument.
    public typealias Argument = (any PostgresValue)?

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
        guard !touched.isEmpty || isPositionDrawn && hasBegun else {
            guard hasBegun else { return nil }
            if isReadOnly {
                try connection.endReading(until: deadline)
            } else {
                _ = try connection.commit([Self.heedingFence, Self.refusedBehindFence], until: deadline)
            }
            return nil
        }
        let lines = TopicsText.lines(of: touched)
        let isInTable = lines.utf8.count > TopicsText.byteLimit
        let results = try connection.commit(
            beginning + [
                // Held to the end of the commit, so that positions grow in the order of commits.
                Statement("SELECT pg_advisory_xact_lock($1, $2)", AdvisoryLock.commits.arguments),
                Self.heedingFence,
                Statement(isInTable ? Self.announcingInTable : Self.announcing, [.text(lines)]),
            ],
            until: deadline
        )
        return Position(number: try results[beginning.count + 2].row(0)[0])
    }

    /// What a standby refuses, and a primary that is fenced. It takes the right to update.
    static let refusedBehindFence = Statement("SELECT 1 FROM relist.secret WHERE false FOR UPDATE")
    /// Has a server that was fenced since the transaction began refuse what follows, as it does the drawing of a position: the
    /// default is looked at by BEGIN alone. What began behind a fence stays as it began.
    private static let heedingFence = Statement(
        "SELECT set_config('transaction_read_only', 'on', true) WHERE current_setting('default_transaction_read_only') = 'on'"
    )

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
    /// Reads all rows that a statement finds.
    ///
    /// A text with U+0000 is no text of PostgreSQL's: as an argument of what only reads, of SELECT that announces nothing and of DELETE it
    /// is null, which equals nothing.
    ///
    /// - Parameters:
    ///   - topic: what is read; nil where nobody sees it, as for a comparison before a write.
    ///   - announced: what is stale if it changes a row: of INSERT, UPDATE or DELETE with RETURNING. Of any other, in any case.
    /// - Throws: what `value` throws, ``PostgresError``
    public func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [Argument] = [], announcing announced: [Topic] = [],
        _ value: (PostgresRow) throws -> Value
    ) throws -> [Value] {
        if let topic { recordRead(of: topic) }
        let isQuestion = Self.verb(of: sql) == "SELECT" && announced.isEmpty
        let result = try run([try statement(sql, arguments, isQuestion: isQuestion)])[0]
        touch(announced, by: sql, changing: result.changedCount)
        return try (0..<result.rowCount).map { try value(result.row($0)) }
    }

    /// A statement with what is bound to it. What is only compared with, and not stored, may be what no row has.
    ///
    /// - Throws: ``PostgresStoreError/zeroCharacter``
    private func statement(_ sql: String, _ arguments: [Argument], isQuestion: Bool = false) throws(PostgresStoreError) -> Statement {
        let bound = arguments.map { $0?.postgresArgument ?? .null }
        guard bound.contains(where: \.hasZeroCharacter) else { return Statement(sql, bound) }
        guard isReadOnly || isQuestion || Self.verb(of: sql) == "DELETE" else { throw .zeroCharacter }
        return Statement(sql, bound.map { $0.hasZeroCharacter ? .null : $0 })
    }

    /// Of what others change, a WITH or a function that is called, nothing is counted.
    private static let counted: Set<String> = ["INSERT", "UPDATE", "DELETE", "MERGE"]

    /// The first word of a statement, in capital letters.
    private static func verb(of sql: String) -> String {
        sql.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
    }

    /// Reads the first row that a statement finds; nil where it finds none.
    ///
    /// - Parameters:
    ///   - topic: what is read; nil where nobody sees it, as for a comparison before a write.
    ///   - announced: what is stale if it changes a row: of INSERT, UPDATE or DELETE with RETURNING. Of any other, in any case.
    /// - Throws: what `value` throws, ``PostgresError``
    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [Argument] = [], announcing announced: [Topic] = [],
        _ value: (PostgresRow) throws -> Value
    ) throws -> Value? {
        try rows(of: topic, sql, arguments, announcing: announced, value).first
    }

    /// Runs a statement that writes. Where it fails for a reason that is named, the transaction can go on.
    ///
    /// - Parameters:
    ///   - topics: what is stale if it changes a row. Of one that is no INSERT, UPDATE, DELETE or MERGE, in any case.
    ///   - taken: what it means that there is a row with that key already.
    ///   - orphaned: what it means that there is no row that a foreign key names.
    /// - Returns: how many rows it inserted, updated or deleted.
    /// - Throws: `taken`, `orphaned`, ``PostgresStoreError/zeroCharacter``, ``PostgresError``
    @discardableResult
    public func write(
        _ sql: String, _ arguments: [Argument] = [], announcing topics: [Topic] = [], ifTaken taken: (any Error)? = nil,
        ifOrphaned orphaned: (any Error)? = nil
    ) throws -> Int {
        let statement = try statement(sql, arguments)
        let count = taken == nil && orphaned == nil
            ? try run([statement])[0].changedCount : try write(statement, ifTaken: taken, ifOrphaned: orphaned)
        touch(topics, by: sql, changing: count)
        return count
    }

    private func touch(_ topics: [Topic], by sql: String, changing count: Int) {
        if !isReadOnly, count > 0 || !Self.counted.contains(Self.verb(of: sql)) { touched.formUnion(topics) }
    }

    /// A statement that fails ends the transaction, unless it is within a savepoint.
    private func write(_ statement: Statement, ifTaken taken: (any Error)?, ifOrphaned orphaned: (any Error)?) throws -> Int {
        do {
            let results = try run([Statement("SAVEPOINT relist"), statement, Statement("RELEASE SAVEPOINT relist")])
            return results[1].changedCount
        } catch {
            let cause: (any Error)? =
                switch error {
                case .constraint(.unique, _): taken
                case .constraint(.foreignKey, _): orphaned
                default: nil
                }
            guard let cause else { throw error }
            _ = try run([Statement("ROLLBACK TO SAVEPOINT relist"), Statement("RELEASE SAVEPOINT relist")])
            throw cause
        }
    }

    /// Runs statements in one round trip, of which nobody is told.
    func run(_ statements: [Statement]) throws(PostgresError) -> [PostgresResult] {
        let all = beginning + statements
        beginning = []
        let results = try connection.run(all, until: deadline, isGivenUp: isGivenUp)
        return Array(results.suffix(statements.count))
    }
}

extension PostgresArgument {
    fileprivate var hasZeroCharacter: Bool {
        if case .text(let text) = self { text.utf8.contains(0) } else { false }
    }
}
