import GRDB
import GRDBSQLite
import ScreenService
import Synchronization

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
extension ServiceDatabase {
    /// Runs `body` in a write transaction, and keeps nothing of it where it throws.
    ///
    /// - Parameters:
    ///   - isOwn: whether `body` lets every error through that a statement throws.
    ///   - action: the transaction of the action that writes.
    ///   - body: returns the value, and adds the topics that it has touched. It may run again where it was undone because of another write.
    func write<Value: Sendable>(
        outliving durability: Durability = .lossOfPower, isOwn: Bool = false, as action: ActionTransaction? = nil,
        _ body: @Sendable @escaping (Database, inout Set<Topic>) throws -> Value
    ) async throws -> Value {
        let written = Written<Value>()
        try gate.enter()
        defer { gate.leave() }
        // GRDB's own asynchronous write throws when its task is cancelled, also after the commit.
        try await withCheckedThrowingContinuation { continuation in
            let write = Write(durability: durability, isOwn: isOwn, action: action, continuation: continuation) {
                do { written.value = try body($0, &$1) } catch { throw self.unavailable(error) }
            }
            waitingWrites.append(write)
            // Each has its turn; the first takes along what waits by then.
            connections.asyncWriteWithoutTransaction { self.commitWaitingWrites(on: $0) }
        }
        guard let value = written.value else { preconditionFailure("a write that did not run was committed") }
        return value
    }

    private func commitWaitingWrites(on database: Database) {
        var writes = waitingWrites.take()[...]
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
                if count < together.count { return waitingWrites.putBack(writes) }
            case .failure(Undoing.ended(let index, _)) where index > 0:
                limit = index
            case .failure(Undoing.ended(_, let error)):
                writes.removeFirst().end(.failure(unavailable(error)))
            case .failure(Undoing.refused(let refusals)):
                for (write, error) in refusals { write.end(.failure(error)) }
                writes.removeAll { write in refusals.contains { $0.write === write } }
            // Because of one of them: the others are committed without it.
            case .failure(let error) where together.count > 1 && error.isVeto:
                limit = 1
            case .failure(let error):
                for write in together { write.end(.failure(unavailable(error))) }
                writes = writes.dropFirst(together.count)
            }
        }
    }

    /// Commits writes in one transaction.
    ///
    /// - Returns: how many were committed, at least one; for the rest there was no time.
    /// - Throws: ``Undoing``, or why none could begin or be committed.
    private func commit(_ writes: ArraySlice<Write>, on database: Database) throws -> Int {
        let durability = writes.map(\.durability).max() ?? .lossOfPower
        var run = writes
        var isCommitBegun = false
        do {
            try failure.check()
            try commit(outliving: durability, isGuarded: !writes.allSatisfy(\.isOwn), on: database) {
                run = try self.run(writes, on: database)
                try checkFiles()
                // A body may have swallowed what has ended it.
                isCommitBegun = database.isInsideTransaction
            }
        } catch {
            if isCommitBegun, error.leavesDoubt {
                failure.begin(error)
                // First, so that a deadline that passes meanwhile does not count them as undone.
                for write in run { write.noteCommit(.unknown) }
            }
            announce([])
            for write in writes { write.afterRollback() }
            try checkFiles()
            throw error
        }
        for write in run { write.noteCommit(.committed(at: nil)) }
        // Once, so that followers of several topics are notified once.
        announce(run.reduce(into: Set<Topic>()) { $0.formUnion($1.touched) })
        do {
            try checkFiles()
        } catch {
            for write in run { write.noteCommit(.unknown) }
            throw error
        }
        return run.count
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
            if count > 0, .now - start >= waitingWrites.timeTogether { break }
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
}

/// The error of a transaction of several writes that was undone because of some of them.
private enum Undoing: Error {
    /// A write has ended the transaction, as a statement does that is stopped.
    case ended(index: Int, any Error)
    /// Some writes must not be committed any more.
    case refused([(write: Write, error: any Error)])
}

/// The value of a write. It lies beside the write, because a generic write would cost many times as much.
///
/// Unchecked, as it is set on the queue of the writing connection, and read after that.
private final class Written<Value>: @unchecked Sendable {
    var value: Value?
}

/// The writes that wait for their turn.
final class WaitingWrites: Sendable {
    /// The maximum number of writes in one transaction.
    private static let writesAtOnce = 64
    /// The time after the first write of a transaction in which another one may begin.
    let timeTogether: Duration
    private let waiting = Mutex<[Write]>([])

    init(timeTogether: Duration = .milliseconds(50)) {
        self.timeTogether = timeTogether
    }

    func append(_ write: Write) {
        waiting.withLock { $0.append(write) }
    }

    /// Removes those that are committed next.
    func take() -> [Write] {
        waiting.withLock { waiting in
            var attempts: Set<ObjectIdentifier> = []
            let taken = Array(waiting.prefix(Self.writesAtOnce).prefix { $0.attempt.map { attempts.insert($0).inserted } ?? true })
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    func putBack(_ writes: some Collection<Write>) {
        waiting.withLock { $0.insert(contentsOf: writes, at: 0) }
    }
}

extension Error {
    /// A Boolean value that indicates whether the next process may find the commit that failed with it. Where the disk is full, or a quota is used
    /// up (`SQLITE_IOERR_WRITE`), the last frame, which makes it a commit, was not written.
    fileprivate var leavesDoubt: Bool {
        guard let error = self as? DatabaseError, error.extendedResultCode != .SQLITE_IOERR_WRITE else { return false }
        return [.SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_PROTOCOL].contains(error.resultCode)
    }

    /// A Boolean value that indicates whether an observer of the team's has refused a commit, and not the database.
    fileprivate var isVeto: Bool {
        guard let error = self as? DatabaseError else { return !(self is DataUnavailable) }
        return error.resultCode == .SQLITE_CONSTRAINT
    }
}

extension Database {
    /// Runs `body` in one transaction.
    ///
    /// - Parameter isGuarded: whether no statement may run behind one that has ended the transaction. The library sees to that,
    ///   and compiles the statements that begin and end it each time.
    func inWriteTransaction(isGuarded: Bool, _ body: () throws -> Void) throws {
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
