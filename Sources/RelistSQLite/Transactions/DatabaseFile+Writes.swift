import GRDB
import GRDBSQLite
import ScreenService
import Synchronization

/// What is to be done around the commit of a write.
struct Committing: Sendable {
    /// What is stale by then.
    var touched: Set<Topic> = []
    /// Just before. If it throws, what was written is undone.
    var beforeCommit: @Sendable () throws -> Void = {}
    var afterCommit: @Sendable () -> Void = {}
    /// After that, where the files were gone by then.
    var afterLoss: @Sendable () -> Void = {}
    /// Where it was not committed, or nobody knows.
    var afterRollback: @Sendable () -> Void = {}
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

// Writes that come while another one is committed are committed together: what takes the time is the disk, which then
// is synchronised once for all. Each is undone by itself where it fails, and answered when all are committed.
extension DatabaseFile {
    /// How many are committed together at most.
    private static let writesAtOnce = 64

    func write<Value: Sendable>(
        outliving durability: Durability, isOwn: Bool, by owner: AnyObject?,
        _ body: @Sendable @escaping (Database, inout Committing) throws -> Value
    ) async throws -> Value {
        let written = Written<Value>()
        try await using { pool in
            // GRDB's own asynchronous write throws when its task is cancelled, be it after the
            // commit, and then nobody would hear of the commit.
            try await withCheckedThrowingContinuation { continuation in
                let owner = owner.map(ObjectIdentifier.init)
                let write = Write(durability: durability, isOwn: isOwn, owner: owner, continuation: continuation) {
                    do { written.value = try body($0, &$1) } catch { throw self.unavailable(error) }
                }
                waitingWrites.withLock { $0.append(write) }
                // Each has its turn; the first takes along what waits by then.
                pool.asyncWriteWithoutTransaction { self.commitWaitingWrites(on: $0) }
            }
        }
        guard let value = written.value else { preconditionFailure("a write that did not run was committed") }
        return value
    }

    /// The value of a write, beside it: it has to be of no type in particular, as whatever is generic in it costs many times as
    /// much for each.
    ///
    /// Unchecked, as it is touched on the queue of the writing connection, and then by who waits for that.
    private final class Written<Value>: @unchecked Sendable {
        var value: Value?
    }

    private func commitWaitingWrites(on database: Database) {
        var writes = takeWaitingWrites()[...]
        // Those before one that has ended a transaction are committed without it, and it begins the next one: so its
        // error comes from nothing that was undone.
        var limit: Int?
        while !writes.isEmpty {
            let together = writes.prefix(limit ?? writes.count)
            limit = nil
            let outcome = Result { try commit(together, on: database) }
            emptyLogIfDue(on: database)
            switch outcome {
            case .success(let count):
                for write in together.prefix(count) { write.end(.success(())) }
                writes = writes.dropFirst(count)
                if count < together.count { return putBack(writes) }
            case .failure(Undoing.ended(let index, _)) where index > 0:
                limit = index
            case .failure(Undoing.ended(_, let error)):
                writes.removeFirst().end(.failure(unavailable(error)))
            case .failure(Undoing.refused(let refusals)):
                for (write, error) in refusals { write.end(.failure(error)) }
                writes.removeAll { write in refusals.contains { $0.write === write } }
            case .failure(let error):
                for write in together { write.end(.failure(unavailable(error))) }
                writes = writes.dropFirst(together.count)
            }
        }
    }

    private func takeWaitingWrites() -> [Write] {
        waitingWrites.withLock { waiting in
            var owners: Set<ObjectIdentifier> = []
            let taken = Array(waiting.prefix(Self.writesAtOnce).prefix { $0.owner.map { owners.insert($0).inserted } ?? true })
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    private func putBack(_ writes: some Collection<Write>) {
        waitingWrites.withLock { $0.insert(contentsOf: writes, at: 0) }
    }

    /// Commits writes in one transaction.
    ///
    /// - Returns: how many were committed, at least one; for the rest there was no time.
    /// - Throws: ``Undoing``, or why none could begin or be committed.
    private func commit(_ writes: ArraySlice<Write>, on database: Database) throws -> Int {
        let durability = writes.map(\.durability).max() ?? .lossOfPower
        var isInLog = false
        var committed = writes.prefix(0)
        do {
            return try checked {
                let logHeader = watch.logHeader
                if isLogInDoubt.load(ordering: .relaxed) { try writeOverFailedCommit(on: database) }
                try database.setDurability(durability)
                var run = writes
                try database.inWriteTransaction(isGuarded: !writes.allSatisfy(\.isOwn)) {
                    run = try self.run(writes, on: database)
                    try checkFiles()
                    // A body may have swallowed what has ended it.
                    isInLog = database.isInsideTransaction
                }
                isInLog = false
                committed = run
                watch.checkCommit(since: logHeader, on: database)
                for write in committed { write.afterCommit() }
                // Once, so that who follows several of them is shown all at once.
                let touched = committed.reduce(into: Set<Topic>()) { $0.formUnion($1.touched) }
                if !touched.isEmpty { topics.announce(touched) }
                return committed.count
            }
        } catch where !committed.isEmpty {
            for write in committed { write.afterLoss() }
            throw error
        } catch {
            // Where there was no room, the frame that makes it a commit was not written: it is the last one.
            let isRefused = [.SQLITE_CONSTRAINT, .SQLITE_FULL].contains((error as? DatabaseError)?.resultCode)
            if isInLog, !isRefused { try? writeOverFailedCommit(on: database) }
            for write in writes { write.afterRollback() }
            throw error
        }
    }

    /// - Returns: those for which there was time.
    private func run(_ writes: ArraySlice<Write>, on database: Database) throws -> ArraySlice<Write> {
        if let only = writes.first, writes.count == 1 {
            try only.run(on: database)
            try only.beforeCommit()
            return writes
        }
        let start = ContinuousClock.now
        var count = 0
        for write in writes {
            if count > 0, .now - start >= timeTogether { break }
            do { try write.runAmongOthers(on: database) } catch { throw Undoing.ended(index: count, error) }
            count += 1
        }
        let run = writes.prefix(count)
        let refusals = run.compactMap { write in
            do { try write.beforeCommit() } catch { return (write, error) }
            return nil as (Write, any Error)?
        }
        if !refusals.isEmpty { throw Undoing.refused(refusals) }
        return run
    }

    /// Why a transaction of several writes was undone, which is the fault of some of them.
    private enum Undoing: Error {
        /// One has ended it, as statements do that are stopped.
        case ended(index: Int, any Error)
        /// Some are not to be committed any more.
        case refused([(write: Write, error: any Error)])
    }
}

extension Database {
    /// Runs `body` in one transaction.
    ///
    /// - Parameter isGuarded: whether no statement may run behind one that has ended the transaction. The library sees to that,
    ///   and compiles the statements that begin and end it each time.
    fileprivate func inWriteTransaction(isGuarded: Bool, _ body: () throws -> Void) throws {
        if isGuarded {
            return try inTransaction(.immediate) {
                try body()
                return .commit
            }
        }
        try inTransaction(begunBy: "BEGIN IMMEDIATE TRANSACTION", body)
    }

    /// Says what the commits outlive that follow. It cannot be changed within a transaction.
    ///
    /// It is changed when the statement is compiled, so that is done each time; the library would take four times as long.
    func setDurability(_ durability: Durability) throws {
        let code = sqlite3_exec(sqliteConnection, "PRAGMA synchronous = \(durability.rawValue)", nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)))
        }
    }
}
