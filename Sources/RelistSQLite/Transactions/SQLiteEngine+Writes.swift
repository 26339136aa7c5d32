import GRDB
import GRDBSQLite
import ScreenService
import Synchronization

/// The most severe failure that an acknowledged commit survives.
enum Durability: String, Comparable, Sendable {
    /// The commit survives the end of the process, but a power failure can undo it. Such a commit is many times as fast as a commit that
    /// survives a power failure.
    case endOfProcess = "NORMAL"
    /// The commit survives a power failure, because the log is written to the disk.
    case lossOfPower = "FULL"

    static func < (a: Durability, b: Durability) -> Bool {
        a == .endOfProcess && b == .lossOfPower
    }
}

// Most of the time of a write is spent on `fsync`. Therefore the writes that wait during a commit form a group, which shares the next
// transaction. If a write fails, only its own changes are rolled back. All callers are resumed after the commit.
// An error can abort the whole transaction, for example when a statement is interrupted. The writes before the aborting write then run
// again and are committed first. The aborting write becomes the first write of a new transaction, in which uncommitted changes of other
// writes cannot cause its error.
// A transaction observer of the team can reject the commit of a group. The error does not show which write is the cause, so the writes are
// then committed one by one.
extension SQLiteEngine {
    /// Runs `body` in a write transaction. `body` adds the touched topics to the given set. The body can run again if another write aborts
    /// the transaction. `action` is `nil` outside of an action.
    func write<Value: Sendable>(
        durability: Durability = .lossOfPower, as action: ActionTransaction? = nil,
        _ body: @Sendable @escaping (Database, inout Set<Topic>) throws -> Value
    ) async throws -> Value {
        let written = Written<Value>()
        try gate.enter()
        defer { gate.leave() }
        // A continuation is used, because the asynchronous write of GRDB throws when its task is cancelled, even after the commit.
        try await withCheckedThrowingContinuation { continuation in
            let write = Write(durability: durability, action: action, continuation: continuation) {
                do { written.value = try body($0, &$1) } catch { throw self.unavailable(error) }
            }
            waitingWrites.append(write)
            // Each write schedules one call. A call commits a group of the waiting writes, so a later call may find no writes.
            connections.asyncWriteWithoutTransaction { self.commitWaitingWrites(on: $0) }
        }
        guard let value = written.value else { preconditionFailure("A write was committed that did not run.") }
        return value
    }

    private func commitWaitingWrites(on database: Database) {
        var writes = waitingWrites.take()[...]
        var isOneByOne = false
        var countBeforeAbortingWrite: Int?
        while !writes.isEmpty {
            let group = writes.prefix(isOneByOne ? 1 : countBeforeAbortingWrite ?? writes.count)
            countBeforeAbortingWrite = nil
            let outcome = Result { try commit(group, on: database) }
            emptyLogIfDue(on: database)
            switch outcome {
            case .success(let count):
                for write in group.prefix(count) { write.end(.success(())) }
                writes = writes.dropFirst(count)
                if count < group.count { return waitingWrites.putBack(writes) }
            case .failure(GroupFailure.ended(let index, _)) where index > 0:
                countBeforeAbortingWrite = index
            case .failure(GroupFailure.ended(_, let error)):
                writes.removeFirst().end(.failure(unavailable(error)))
            case .failure(GroupFailure.rejected(let rejected)):
                for (write, error) in rejected { write.end(.failure(error)) }
                writes.removeAll { write in rejected.contains { $0.write === write } }
            case .failure(let error) where group.count > 1 && error.isVeto:
                isOneByOne = true
            case .failure(let error):
                for write in group { write.end(.failure(unavailable(error))) }
                writes = writes.dropFirst(group.count)
            }
        }
    }

    /// Runs the writes and commits them in one transaction. Returns the number of committed writes, which is at least one. The other writes
    /// have not run, because `groupDuration` had passed. Throws ``GroupFailure``, or the error that prevented the commit of all writes.
    private func commit(_ writes: ArraySlice<Write>, on database: Database) throws -> Int {
        let durability = writes.map(\.durability).max() ?? .lossOfPower
        var run = writes
        var commitStart: ContinuousClock.Instant?
        do {
            try failure.check()
            try commit(durability: durability, on: database) {
                run = try self.run(writes, on: database)
                try checkFiles()
                // If a body has caught the error that ended the transaction, there is nothing to commit.
                commitStart = database.isInsideTransaction ? .now : nil
            }
        } catch {
            if commitStart != nil, error.leavesDoubt {
                failure.begin(error)
                activity.noteDoubt(about: run.count)
                // `unknown` is recorded before `afterRollback()` records `undone`. Otherwise an action whose deadline passes between the
                // two calls would be reported as undone.
                for write in run { write.noteCommit(.unknown) }
            }
            announce([])
            for write in writes { write.afterRollback() }
            try checkFiles()
            throw error
        }
        if let commitStart, durability == .lossOfPower { activity.noteCommit(since: commitStart) }
        for write in run { write.noteCommit(.committed(at: nil)) }
        // There is one announcement, so that followers of several topics are notified once.
        announce(run.reduce(into: Set<Topic>()) { $0.formUnion($1.touched) })
        do {
            try checkFiles()
        } catch {
            for write in run { write.noteCommit(.unknown) }
            activity.noteDoubt(about: run.count)
            throw error
        }
        activity.noteWrites(run.count)
        return run.count
    }

    /// Runs the bodies of the writes in order, and begins no further body after `groupDuration` has passed. The first body always runs.
    /// Returns the writes whose bodies have run, after their actions were notified that the commit begins.
    private func run(_ writes: ArraySlice<Write>, on database: Database) throws -> ArraySlice<Write> {
        if let only = writes.first, writes.count == 1 {
            try only.run(on: database)
            try only.beforeCommit()
            return writes
        }
        let start = ContinuousClock.now
        var count = 0
        for write in writes {
            if count > 0, .now - start >= waitingWrites.groupDuration { break }
            do { try write.runInGroup(on: database) } catch { throw GroupFailure.ended(index: count, error) }
            count += 1
        }
        let run = writes.prefix(count)
        let rejected = run.compactMap { write in
            do { try write.beforeCommit() } catch { return (write, error) }
            return nil as (Write, any Error)?
        }
        if !rejected.isEmpty { throw GroupFailure.rejected(rejected) }
        return run
    }
}

/// An error of some writes in a group. It causes the rollback of the whole group.
private enum GroupFailure: Error {
    /// The write at `index` has aborted the transaction, for example because a statement was interrupted.
    case ended(index: Int, any Error)
    /// Some writes belong to actions that must not be committed any more.
    case rejected([(write: Write, error: any Error)])
}

/// The value that the body of a write returns. `Write` does not store it, because a generic `Write` would be much slower. `Sendable` is
/// unchecked: the value is set on the queue of the writing connection, and read after the write has ended.
private final class Written<Value>: @unchecked Sendable {
    var value: Value?
}

/// The queue of writes that wait for the writing connection.
final class WaitingWrites: Sendable {
    /// The maximum number of writes in one transaction.
    private static let groupLimit = 64
    /// The time after the start of a transaction during which further writes of its group can begin.
    let groupDuration: Duration
    private let waiting = Mutex<[Write]>([])

    init(groupDuration: Duration = .milliseconds(50)) {
        self.groupDuration = groupDuration
    }

    var count: Int { waiting.withLock { $0.count } }

    func append(_ write: Write) {
        waiting.withLock { $0.append(write) }
    }

    /// Removes and returns the next group of writes. The group has at most one write of each action, because the first write must store
    /// the receipt before the second write looks for it.
    func take() -> [Write] {
        waiting.withLock { waiting in
            var attempts: Set<ObjectIdentifier> = []
            let taken = Array(waiting.prefix(Self.groupLimit).prefix { $0.attempt.map { attempts.insert($0).inserted } ?? true })
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    func putBack(_ writes: some Collection<Write>) {
        waiting.withLock { $0.insert(contentsOf: writes, at: 0) }
    }
}

extension Error {
    /// A Boolean value that indicates whether the next process may find the commit in the log although the commit failed with this error.
    /// If the disk is full or a quota is exhausted (`SQLITE_IOERR_WRITE`), there is no commit, because its last frame was not written.
    fileprivate var leavesDoubt: Bool {
        guard let error = self as? DatabaseError, error.extendedResultCode != .SQLITE_IOERR_WRITE else { return false }
        return [.SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_PROTOCOL].contains(error.resultCode)
    }

    /// A Boolean value that indicates whether the error comes from a transaction observer of the team that has rejected a commit.
    fileprivate var isVeto: Bool {
        guard let error = self as? DatabaseError else { return !(self is DataUnavailable) }
        return error.resultCode == .SQLITE_CONSTRAINT
    }
}

extension Database {
    /// Runs `body` in one write transaction. If a statement ends the transaction, later statements fail.
    func inWriteTransaction(_ body: () throws -> Void) throws {
        try inTransaction(.immediate) {
            try body()
            return .commit
        }
    }

    /// Sets the durability of later commits. Call this function outside of a transaction. SQLite applies the pragma when it compiles the
    /// statement, so a cached statement would have no effect. The statement is compiled without GRDB, which would take four times as long.
    func setDurability(_ durability: Durability) throws {
        let code = sqlite3_exec(sqliteConnection, "PRAGMA synchronous = \(durability.rawValue)", nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)))
        }
    }
}
