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
    /// The action that writes. Its writes are never in one transaction: the first must have kept the receipt before the
    /// second looks for it. Nil where it is none.
    let owner: ObjectIdentifier?
    private let body: @Sendable (Database, inout Committing) throws -> Void
    private let continuation: CheckedContinuation<Void, any Error>
    /// Nil until it has run.
    private var outcome: Result<Committing, any Error>?

    init(
        durability: Durability, isOwn: Bool, owner: ObjectIdentifier?, continuation: CheckedContinuation<Void, any Error>,
        body: @Sendable @escaping (Database, inout Committing) throws -> Void
    ) {
        (self.durability, self.isOwn, self.owner) = (durability, isOwn, owner)
        (self.continuation, self.body) = (continuation, body)
    }

    /// Runs its statements. They run again where they were undone with those of another write, or it has ended the
    /// transaction of others.
    ///
    /// - Throws: why the transaction is undone.
    func run(on database: Database) throws {
        var committing = Committing()
        try body(database, &committing)
        outcome = .success(committing)
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

    /// What there is to be done around its commit; nil where it failed.
    private var committing: Committing? { try? outcome?.get() }

    /// The topics of what it has changed; none where it failed.
    var touched: Set<Topic> { committing?.touched ?? [] }

    func beforeCommit() throws {
        try committing?.beforeCommit()
    }

    func afterCommit() {
        committing?.afterCommit()
    }

    /// Notes, after `afterCommit`, that the files were gone by then.
    func afterLoss() {
        committing?.afterLoss()
    }

    /// Notes that it was not committed, or that nobody knows. It may run again.
    func afterRollback() {
        committing?.afterRollback()
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
