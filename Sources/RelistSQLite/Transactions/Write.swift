import GRDB
import GRDBSQLite
import ScreenService

/// A write that waits for the writing connection. `Sendable` is unchecked, because its state is used only on the queue of this connection.
final class Write: @unchecked Sendable {
    let durability: Durability
    /// The transaction of the action that writes; `nil` outside of an action.
    private let action: ActionTransaction?
    var attempt: ObjectIdentifier? { action?.id }
    private let body: @Sendable (Database, inout Set<Topic>) throws -> Void
    private let continuation: CheckedContinuation<Void, any Error>
    /// The topics that the body has touched, or the error of the body; `nil` until the body has run.
    private var outcome: Result<Set<Topic>, any Error>?

    init(
        durability: Durability, action: ActionTransaction?, continuation: CheckedContinuation<Void, any Error>,
        body: @Sendable @escaping (Database, inout Set<Topic>) throws -> Void
    ) {
        (self.durability, self.action, self.continuation, self.body) = (durability, action, continuation, body)
    }

    /// Runs the body as the only write of a transaction. After an error, the transaction must be rolled back.
    func run(on database: Database) throws {
        var touched: Set<Topic> = []
        try body(database, &touched)
        outcome = .success(touched)
    }

    /// Runs the body in a transaction that it shares with other writes. Throws only an error that has ended the transaction. After any
    /// other error of the body, only the changes of this write are rolled back.
    func runInGroup(on database: Database) throws {
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

    private var isInTransaction: Bool { (try? outcome?.get()) != nil }

    var touched: Set<Topic> { (try? outcome?.get()) ?? [] }

    /// Notifies the action that the commit begins. If this function throws, the transaction must be rolled back.
    func beforeCommit() throws {
        if isInTransaction { try action?.beginCommit() }
    }

    func noteCommit(_ outcome: ActionTransaction.Outcome) {
        if isInTransaction { action?.endCommit(outcome) }
    }

    /// Records that the transaction was rolled back. The body can run again.
    func afterRollback() {
        noteCommit(.undone)
        outcome = nil
    }

    /// Resumes the caller of the write. The error of a failed commit takes precedence over the error of the body, because the changes of
    /// another write may have caused the error of the body.
    func end(_ commit: Result<Void, any Error>) {
        continuation.resume(
            with: commit.flatMap {
                if case .failure(let error)? = outcome { return .failure(error) }
                return .success(())
            })
    }
}

extension Database {
    /// Turns off `defer_foreign_keys`, which an earlier write of the group may have turned on. The pragma is read first and turned off only
    /// if it is on, because SQLite compiles all statements of the connection again after the pragma is set.
    fileprivate func endDeferringForeignKeys() throws {
        if try Bool.fetchOne(cachedStatement(sql: "PRAGMA defer_foreign_keys")) == true {
            try execute(sql: "PRAGMA defer_foreign_keys = OFF")
        }
    }

    /// Checks deferred foreign keys of this write. Otherwise SQLite would check the foreign keys only at the commit of the whole group.
    fileprivate func checkForeignKeys() throws {
        var (unresolved, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &highest, 0)
        if unresolved != 0 {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed")
        }
    }
}
