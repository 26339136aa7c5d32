import GRDB
import GRDBSQLite
import ScreenService
import Synchronization

/// A value whose transaction is about to be committed, and what is to be done once it is.
struct Committing<Value: Sendable>: Sendable {
    let value: Value
    let afterCommit: @Sendable () -> Void

    init(_ value: Value, afterCommit: @escaping @Sendable () -> Void = {}) {
        self.value = value
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

    /// Runs its statements; it is told nothing else before they are committed, or could not be.
    ///
    /// - Parameter isAlone: whether nothing is lost with the transaction when they fail.
    /// - Throws: what has ended the transaction.
    func run(on database: Database, isAlone: Bool) throws

    func didCommit()

    /// Answers who waits, once it is known what became of the transaction.
    func end(_ outcome: Result<Void, any Error>)
}

// Writes that come while another one is committed are committed together: what takes the time is the disk, which then
// is synchronised once for all. Each is undone by itself where it fails, and answered when all are committed.
extension DatabaseFile {
    /// How many are committed together at most.
    private static let writesAtOnce = 64
    /// How long after the first one another may begin, for which the first has to wait.
    private static let timeAtOnce = Duration.milliseconds(50)

    /// Runs `body` in one write transaction, and keeps nothing of it where it throws.
    func write<Value: Sendable>(
        outliving durability: Durability = .lossOfPower,
        _ body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) async throws -> Value {
        try await using { pool in
            // GRDB's own asynchronous write throws when its task is cancelled, be it after the
            // commit, and then nobody would hear of the commit.
            try await withCheckedThrowingContinuation { continuation in
                let write = Write(durability: durability, continuation: continuation) { database in
                    do { return try body(database) } catch { throw self.unavailable(error) }
                }
                waitingWrites.withLock { $0.append(write) }
                // Each has its turn; the first takes along what waits by then.
                pool.asyncWriteWithoutTransaction { self.commitWaitingWrites(on: $0) }
            }
        }
    }

    private func commitWaitingWrites(on database: Database) {
        let writes = waitingWrites.withLock { waiting in
            defer { waiting.removeFirst(min(Self.writesAtOnce, waiting.count)) }
            return waiting.prefix(Self.writesAtOnce)
        }
        guard let durability = writes.map(\.durability).max() else { return }
        var runCount = 0
        let outcome = Result {
            try checked {
                // It cannot be changed within a transaction.
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                try commit(writes, &runCount, on: database)
            }
        }.mapError(unavailable)
        emptyLogIfLarge(on: database)
        // Where none could begin, there is no reason why the next should.
        let ended = runCount == 0 ? writes : writes.prefix(runCount)
        waitingWrites.withLock { $0.insert(contentsOf: writes.dropFirst(ended.count), at: 0) }
        for write in ended { write.end(outcome) }
    }

    private func commit(_ writes: ArraySlice<any WaitingWrite>, _ runCount: inout Int, on database: Database) throws {
        let start = ContinuousClock.now
        try database.inTransaction(.immediate) {
            for write in writes where runCount == 0 || .now - start < Self.timeAtOnce {
                runCount += 1
                try write.run(on: database, isAlone: writes.count == 1)
            }
            try checkFiles()
            return .commit
        }
        for write in writes.prefix(runCount) { write.didCommit() }
    }
}

/// The write of a caller who waits for it.
///
/// Unchecked, as its state is touched on the queue of the writing connection alone.
private final class Write<Value: Sendable>: WaitingWrite, @unchecked Sendable {
    let durability: Durability
    private let body: @Sendable (Database) throws -> Committing<Value>
    private let continuation: CheckedContinuation<Value, any Error>
    private var committing: Result<Committing<Value>, any Error>?

    init(
        durability: Durability, continuation: CheckedContinuation<Value, any Error>,
        body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) {
        (self.durability, self.continuation, self.body) = (durability, continuation, body)
    }

    func run(on database: Database, isAlone: Bool) throws {
        guard !isAlone else {
            committing = .success(try body(database))
            return
        }
        do {
            try database.inSavepoint {
                committing = .success(try body(database))
                try database.checkForeignKeys()
                return .commit
            }
        } catch {
            // Some errors end the whole transaction (sqlite.org/lang_transaction.html, 3), and some it does not outlive.
            guard database.isInsideTransaction else { throw error }
            committing = .failure(error)
        }
    }

    func didCommit() {
        if case .success(let committing)? = committing { committing.afterCommit() }
    }

    func end(_ outcome: Result<Void, any Error>) {
        // What is not committed is no reason for an error either: it may have come from what another one wrote.
        continuation.resume(with: outcome.flatMap { committing!.map { $0.value } })
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
