import GRDB
import Logging
import ScreenService

/// A team's own database, in which the service keeps its records in tables of its own.
///
/// The team opens it, as it likes, and closes it. Each commit through this database, of the service or of the team, is announced by
/// the tables and columns that it has changed.
final class SharedDatabase: ServiceDatabase {
    let topics = Topics()
    let logger: Logger
    let connections: any DatabaseWriter
    let gate = Gate()
    let waitingWrites = WaitingWrites()
    let failure: DiskFailure
    private let observer: CommitObserver

    /// Brings the tables of the service up to date, and leaves all others alone.
    init(
        _ database: any DatabaseWriter, logger: Logger, endProcess: @escaping @Sendable () -> Void = DiskFailure.endProcess
    ) throws {
        connections = database
        self.logger = logger
        failure = DiskFailure(logger: logger, endProcess: endProcess)
        try ServiceTables.migrate(database)
        // The disk may have refused a part of the log of an earlier process: see ``DiskFailure``.
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        observer = try CommitObserver(announcingTo: topics, tables: database.read(ObservedTables.init))
        database.add(transactionObserver: observer, extent: .observerLifetime)
    }

    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        do {
            try failure.check()
            return try await withTaskCancellationHandler {
                try await connections.read(body)
            } onCancel: {
                cancellation.cancel()
            }
        } catch {
            try cancellation.check()
            throw unavailable(error)
        }
    }

    func commit(outliving durability: Durability, isGuarded: Bool, on database: Database, _ body: () throws -> Void) throws {
        try database.surviving(durability) {
            observer.hold()
            try database.inWriteTransaction(isGuarded: isGuarded, body)
        }
    }

    func announce(_ touched: Set<Topic>) {
        observer.release(with: touched)
    }

    // The team has opened the files, and they and their log are its own.
    func checkFiles() {}
    func emptyLogIfDue(on database: Database) {}

    /// The database stays open: the team that has opened it closes it.
    func close() async {
        guard await gate.close() else { return }
        // Queued: a call that hangs in the database does not delay the close.
        connections.asyncWriteWithoutTransaction { [observer] in $0.remove(transactionObserver: observer) }
    }
}

extension Database {
    /// Runs `body` with this durability of commits, and restores the one that the team has chosen.
    fileprivate func surviving(_ durability: Durability, _ body: () throws -> Void) throws {
        let chosen = try synchronisation()
        defer { if (try? synchronisation()) != chosen { try? execute(sql: "PRAGMA synchronous = \(chosen)") } }
        if durability == .lossOfPower {
            // FULL, or EXTRA where a journal is deleted: only then the folder is synchronised as well.
            let needed = try String.fetchOne(cachedStatement(sql: "PRAGMA journal_mode")) == "wal" ? 2 : 3
            if chosen < needed { try execute(sql: "PRAGMA synchronous = \(needed)") }
        }
        try body()
    }

    /// The number of this level: sqlite.org/pragma.html#pragma_synchronous.
    private func synchronisation() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "PRAGMA synchronous")) ?? 2
    }
}
