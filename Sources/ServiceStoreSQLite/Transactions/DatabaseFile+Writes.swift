import GRDB
import ScreenService
import Synchronization

// Writes that come while another one is committed are committed together: what takes the time is the disk, which then
// is synchronised once for all. Each is undone by itself where it fails, and answered when all are committed.
extension DatabaseFile {
    /// How many are committed together at most.
    private static let writesAtOnce = 64

    /// Runs `body` in a write transaction, which others may share, and keeps nothing of it where it throws.
    ///
    /// - Parameters:
    ///   - owner: of several writes, which are not committed together.
    ///   - body: may run again, where it was undone because of another write.
    func write<Value: Sendable>(
        outliving durability: Durability = .lossOfPower, by owner: AnyObject? = nil,
        _ body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) async throws -> Value {
        try await using { pool in
            // GRDB's own asynchronous write throws when its task is cancelled, be it after the
            // commit, and then nobody would hear of the commit.
            try await withCheckedThrowingContinuation { continuation in
                let write = Write(durability: durability, owner: owner.map(ObjectIdentifier.init), continuation: continuation) {
                    do { return try body($0) } catch { throw self.unavailable(error) }
                }
                waitingWrites.withLock { $0.append(write) }
                // Each has its turn; the first takes along what waits by then.
                pool.asyncWriteWithoutTransaction { self.commitWaitingWrites(on: $0) }
            }
        }
    }

    private func commitWaitingWrites(on database: Database) {
        let writes = takeWaitingWrites()
        guard let durability = writes.map(\.durability).max() else { return }
        let outcome = Result {
            try checked {
                // It cannot be changed within a transaction.
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                return try commit(writes, on: database)
            }
        }
        emptyLogIfLarge(on: database)
        switch outcome {
        case .success(let count):
            putBack(writes.dropFirst(count))
            for write in writes.prefix(count) { write.end(.success(())) }
        case .failure(let ended as EndedTransaction):
            // The others have done nothing wrong, and nothing of theirs is left.
            putBack(writes.filter { $0 !== ended.write })
            ended.write.end(.failure(unavailable(ended.cause)))
        case .failure(let error):
            for write in writes { write.end(.failure(unavailable(error))) }
        }
    }

    private func takeWaitingWrites() -> [any WaitingWrite] {
        waitingWrites.withLock { waiting in
            var owners: Set<ObjectIdentifier> = []
            let taken = Array(waiting.prefix(Self.writesAtOnce).prefix { $0.owner.map { owners.insert($0).inserted } ?? true })
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    private func putBack(_ writes: some Collection<any WaitingWrite>) {
        waitingWrites.withLock { $0.insert(contentsOf: writes, at: 0) }
    }

    /// Runs writes for as long as there is time, at least one, and commits them.
    ///
    /// - Returns: how many.
    private func commit(_ writes: [any WaitingWrite], on database: Database) throws -> Int {
        var count = 0
        try database.inTransaction(.immediate) {
            if writes.count == 1 {
                count = 1
                try writes[0].run(on: database)
                try writes[0].beforeCommit()
            } else {
                count = try runTogether(writes, on: database)
            }
            try checkFiles()
            return .commit
        }
        for write in writes.prefix(count) { write.afterCommit() }
        return count
    }

    private func runTogether(_ writes: [any WaitingWrite], on database: Database) throws(EndedTransaction) -> Int {
        let start = ContinuousClock.now
        var count = 0
        repeat {
            try EndedTransaction.named(by: writes[count]) { try $0.runAmongOthers(on: database) }
            count += 1
        } while count < writes.count && .now - start < timeTogether
        for write in writes.prefix(count) { try EndedTransaction.named(by: write) { try $0.beforeCommit() } }
        return count
    }

    /// A transaction of several writes that one of them has ended.
    private struct EndedTransaction: Error {
        let cause: any Error
        let write: any WaitingWrite

        static func named(by write: any WaitingWrite, _ step: (any WaitingWrite) throws -> Void) throws(EndedTransaction) {
            do { try step(write) } catch { throw EndedTransaction(cause: error, write: write) }
        }
    }
}
