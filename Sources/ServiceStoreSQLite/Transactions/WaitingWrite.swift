import GRDB
import GRDBSQLite
import ScreenService

/// A value whose transaction is about to be committed, and what is to be done just before and once it is.
struct Committing<Value: Sendable>: Sendable {
    let value: Value
    let beforeCommit: @Sendable () throws -> Void
    let afterCommit: @Sendable () -> Void

    /// - Parameter beforeCommit: undoes all that was written if it throws.
    init(
        _ value: Value, beforeCommit: @escaping @Sendable () throws -> Void = {}, afterCommit: @escaping @Sendable () -> Void = {}
    ) {
        self.value = value
        self.beforeCommit = beforeCommit
        self.afterCommit = afterCommit
    }
}

/// What a commit outlives once it was acknowledged.
enum Durability: String, Comparable, Sendable {
    /// The end of the process; a loss of power may take the last commits. Many times as fast.
    case endOfProcess = "NORMAL"
    /// The end of the process, and a loss of power: the log is on the disk.
    case lossOfPower = "FULL"

    static func < (a: Durability, b: Durability) -> Bool {
        a == .endOfProcess && b == .lossOfPower
    }
}

/// A write that waits for its turn.
protocol WaitingWrite: AnyObject, Sendable {
    var durability: Durability { get }

    /// Whose write it is: one sees what another of the same has become before it runs. Nil for nobody's.
    var owner: ObjectIdentifier? { get }

    /// Runs its statements. They may run again, where they were undone with those of another.
    func run(on database: Database) throws

    /// The same within a transaction of several, of which it alone is undone where it fails.
    ///
    /// - Throws: what has ended the transaction.
    func runAmongOthers(on database: Database) throws

    func beforeCommit() throws
    func afterCommit()

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
            // It would go with a commit, and there is none in between.
            try database.execute(sql: "PRAGMA defer_foreign_keys = OFF")
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

    func beforeCommit() throws {
        if case .success(let committing)? = committing { try committing.beforeCommit() }
    }

    func afterCommit() {
        if case .success(let committing)? = committing { committing.afterCommit() }
    }

    func end(_ outcome: Result<Void, any Error>) {
        continuation.resume(with: outcome.flatMap {
            guard let committing else { preconditionFailure("a write that did not run was committed") }
            return committing.map { $0.value }
        })
    }
}

extension Database {
    /// Fails as a commit would where a row names another that is not there: with others the commit comes later.
    fileprivate func checkForeignKeys() throws {
        var (unresolved, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &highest, 0)
        if unresolved != 0 {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed")
        }
    }
}
