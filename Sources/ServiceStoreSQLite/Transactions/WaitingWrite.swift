import GRDB
import GRDBSQLite
import ScreenService

/// A write that waits for its turn.
protocol WaitingWrite: AnyObject, Sendable {
    var durability: Durability { get }

    /// The action that writes. Its writes are never in one transaction: the first must have kept the receipt before the
    /// second looks for it. Nil where it is none.
    var owner: ObjectIdentifier? { get }

    /// Runs its statements. They run again where they were undone with those of another write, or it has ended the
    /// transaction of others.
    ///
    /// - Throws: why the transaction is undone.
    func run(on database: Database) throws

    /// The same in a transaction of several, of which it alone is undone where it fails.
    ///
    /// - Throws: what has ended the transaction.
    func runAmongOthers(on database: Database) throws

    /// The topics of what it has changed; none where it failed.
    var touched: Set<Topic> { get }

    func beforeCommit() throws
    func afterCommit()
    /// Notes, after `afterCommit`, that the files were gone by then.
    func afterLoss()
    /// Notes that it was not committed, or that nobody knows. It may run again.
    func afterRollback()

    /// Answers who waits.
    ///
    /// - Parameter outcome: what became of the transaction. Where it was not committed, that is the answer even if the
    ///   write failed by itself: it may have failed because of what another one had written.
    func end(_ outcome: Result<Void, any Error>)
}

/// The write of a caller who waits for its value.
///
/// Unchecked, as its state is touched on the queue of the writing connection alone.
final class Write<Value: Sendable>: WaitingWrite, @unchecked Sendable {
    let durability: Durability
    let owner: ObjectIdentifier?
    private let body: @Sendable (Database) throws -> Committing<Value>
    private let continuation: CheckedContinuation<Value, any Error>
    private var committing: Result<Committing<Value>, any Error>?

    init(
        durability: Durability, owner: ObjectIdentifier?, continuation: CheckedContinuation<Value, any Error>,
        body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) {
        (self.durability, self.owner, self.continuation, self.body) = (durability, owner, continuation, body)
    }

    func run(on database: Database) throws {
        committing = .success(try body(database))
    }

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
            committing = .failure(error)
        }
    }

    var touched: Set<Topic> { (try? committing?.get())?.touched ?? [] }

    func beforeCommit() throws {
        if case .success(let committing)? = committing { try committing.beforeCommit() }
    }

    func afterCommit() {
        if case .success(let committing)? = committing { committing.afterCommit() }
    }

    func afterLoss() {
        if case .success(let committing)? = committing { committing.afterLoss() }
    }

    func afterRollback() {
        if case .success(let committing)? = committing { committing.afterRollback() }
        committing = nil
    }

    func end(_ outcome: Result<Void, any Error>) {
        continuation.resume(with: outcome.flatMap {
            guard let committing else { preconditionFailure("a write that did not run was committed") }
            return committing.map { $0.value }
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
