import GRDB
import Logging
import ScreenService
import Synchronization

/// A team's own database, in which the service keeps its records in tables of its own.
///
/// The team opens it, as it likes, and closes it. What a commit has changed in it is announced by table and column, whoever
/// wrote it through this database; each write is a transaction by itself.
final class SharedDatabase: ServiceDatabase {
    let topics = Topics()
    let logger: Logger
    private let database: any DatabaseWriter
    private let observer: CommitObserver
    private let gate = Gate()
    private let inDoubt = Atomic(false)

    var isCommitInDoubt: Bool { inDoubt.load(ordering: .relaxed) }

    /// Brings the tables of the service up to date, and leaves all others alone.
    init(_ database: any DatabaseWriter, logger: Logger) throws {
        self.database = database
        self.logger = logger
        try ServiceTables.migrate(database)
        observer = try CommitObserver(announcingTo: topics, tables: database.read(ObservedTables.init))
        database.add(transactionObserver: observer, extent: .observerLifetime)
    }

    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        do {
            return try await withTaskCancellationHandler {
                try await database.read(body)
            } onCancel: {
                cancellation.cancel()
            }
        } catch {
            try cancellation.check()
            throw unavailable(error)
        }
    }

    func write<Value: Sendable>(
        outliving durability: Durability, isOwn: Bool, by owner: AnyObject?,
        _ body: @Sendable @escaping (Database, inout Committing) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        // GRDB's own asynchronous write throws when its task is cancelled, be it after the commit.
        return try await withCheckedThrowingContinuation { continuation in
            database.asyncWriteWithoutTransaction { database in
                continuation.resume(with: Result {
                    do { return try self.commit(body, outliving: durability, on: database) } catch { throw self.unavailable(error) }
                })
            }
        }
    }

    /// The database stays open: whoever has opened it closes it.
    func close() async {
        guard await gate.close() else { return }
        // In its turn: what hangs in the database holds nobody up.
        database.asyncWriteWithoutTransaction { [observer] in $0.remove(transactionObserver: observer) }
    }

    private func commit<Value>(
        _ body: (Database, inout Committing) throws -> Value, outliving durability: Durability, on database: Database
    ) throws -> Value {
        var committing = Committing()
        var value: Value?
        var isCommitBegun = false
        do {
            if isCommitInDoubt { try database.surviving(.lossOfPower) { try database.writeFirstPage() } }
            inDoubt.store(false, ordering: .relaxed)
            try database.surviving(durability) {
                observer.hold()
                try database.inTransaction(.immediate) {
                    value = try body(database, &committing)
                    try committing.beforeCommit()
                    isCommitBegun = true
                    return .commit
                }
            }
        } catch {
            let isDoubtful = isCommitBegun && error.leavesDoubt
            if isDoubtful { inDoubt.store(true, ordering: .relaxed) }
            // It may be found to have happened.
            observer.release(with: isDoubtful ? committing.touched.union([TableTopics.everything]) : [])
            committing.afterRollback()
            throw error
        }
        committing.afterCommit()
        observer.release(with: committing.touched)
        guard let value else { preconditionFailure("a transaction that did not run was committed") }
        return value
    }
}

extension Error {
    /// Whether a commit that failed with it may be found to have happened.
    fileprivate var leavesDoubt: Bool {
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_CORRUPT, .SQLITE_NOMEM, .SQLITE_PROTOCOL].contains(error.resultCode)
    }
}

extension Database {
    /// Has the commits of `body` outlive what they have to, whatever the team has chosen for its own, which counts again afterwards.
    fileprivate func surviving(_ durability: Durability, _ body: () throws -> Void) throws {
        let chosen = try synchronisation()
        defer { if (try? synchronisation()) != chosen { try? execute(sql: "PRAGMA synchronous = \(chosen)") } }
        if durability == .lossOfPower {
            // FULL, or EXTRA where a journal is deleted: only then the folder is synchronised as well.
            let needed = try String.fetchOne(cachedStatement(sql: "PRAGMA journal_mode")) == "wal" ? 2 : 3
            if chosen < needed { try execute(sql: "PRAGMA synchronous = \(needed)") }
        }
        try body()
    }

    /// As a number: sqlite.org/pragma.html#pragma_synchronous.
    private func synchronisation() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "PRAGMA synchronous")) ?? 2
    }
}
