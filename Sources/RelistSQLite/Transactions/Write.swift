import GRDB
import GRDBSQLite
import ScreenService

/// A write that waits for its turn.
///
/// Unchecked, as its state is touched on the queue of the writing connection alone.
final class Write: @unchecked Sendable {
    let durability: Durability
    /// Whether it is one of the service's own, which let every error through.
    let isOwn: Bool
    /// The transaction of the action that writes; nil where it is none.
    private let action: ActionTransaction?
    /// The attempt that writes. Its writes are never in one transaction: the first must have kept the receipt before the
    /// second looks for it.
    let attempt: ObjectIdentifier?
    private let body: @Sendable (Database, inout Set<Topic>) throws -> Void
    private let continuation: CheckedContinuation<Void, any Error>
    /// The topics of what it has changed; nil until it has run.
    private var outcome: Result<Set<Topic>, any Error>?

    init(
        durability: Durability, isOwn: Bool, action: ActionTransaction?, continuation: CheckedContinuation<Void, any Error>,
        body: @Sendable @escaping (Database, inout Set<Topic>) throws -> Void
    ) {
        (self.durability, self.isOwn, self.action) = (durability, isOwn, action)
        (self.continuation, self.body) = (continuation, body)
        attempt = action?.id
    }

    /// Runs its statements. They run again where they were undone with those of another write, or it has ended the
    /// transaction of others.
    ///
    /// - Throws: why the transaction is undone.
    func run(on database: Database) throws {
        var touched: Set<Topic> = []
        try body(database, &touched)
        outcome = .success(touched)
    }

    /// The same in a transaction of several, of which it alone is undone where it fails.
    ///
    /// - Throws: what has ended the transaction.
    func runAmongOthers(on database: Database) throws {
        do {
            try database.endDeferringForeignKeys()
            try database.inSavepoint {
                try run(on: database)
                try database.checkForeignKeys()
                return .commit
            }
        } catch {
            // Some errors end the whole transaction: sqlite.org/lang_transaction.html, "Response To Errors".
            guard database.isInsideTransaction else { throw error }
            outcome = .failure(error)
        }
    }

    /// A Boolean value that indicates whether it is a part of the transaction: it has run, and has not failed.
    private var isInTransaction: Bool { (try? outcome?.get()) != nil }

    /// The topics of what it has changed; none where it failed.
    var touched: Set<Topic> { (try? outcome?.get()) ?? [] }

    /// If it throws, what was written is undone.
    func beforeCommit() throws {
        if isInTransaction { try action?.beginCommit() }
    }

    func noteCommit(_ outcome: ActionTransaction.Outcome) {
        if isInTransaction { action?.endCommit(outcome) }
    }

    /// Notes that it was not committed, or that nobody knows. It may run again.
    func afterRollback() {
        noteCommit(.undone)
        outcome = nil
    }

    /// Answers who waits.
    ///
    /// - Parameter commit: what became of the transaction. Where it was not committed, that is the answer even if the
    ///   write failed by itself: it may have failed because of what another one had written.
    func end(_ commit: Result<Void, any Error>) {
        continuation.resume(with: commit.flatMap {
            if case .failure(let error)? = outcome { return .failure(error) }
            return .success(())
        })
    }
}

extension Database {
    /// Ends what a write before this one has asked for until the commit, which comes later.
    ///
    /// Only where it was asked for: to set it makes SQLite compile all statements of the connection anew.
    fileprivate func endDeferringForeignKeys() throws {
        if try Bool.fetchOne(cachedStatement(sql: "PRAGMA defer_foreign_keys")) == true {
            try execute(sql: "PRAGMA defer_foreign_keys = OFF")
        }
    }

    /// Fails as a commit would where a row names another that is not there: with others the commit comes later.
    fileprivate func checkForeignKeys() throws {
        var (unresolved, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &highest, 0)
        if unresolved != 0 {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed")
        }
    }
}
