public import Logging
public import ScreenService
public import Storage

/// Keeps the examples' records in an SQLite file.
///
/// Its reads record their topics, its commits announce those that they touched; the first of an action takes its receipt along, and none is
/// made of an action that was given up. Reads run beside each other and beside the one write at a time,
/// each on the state that was committed when it began. While the file or its log is not where it was
/// opened, both throw `DataUnavailable`.
public final class SQLiteStore: Store, ServiceStoring {
    let file: DatabaseFile
    /// Told of every commit that changed something.
    public let topics = Topics()

    init(file: DatabaseFile) {
        self.file = file
    }

    /// Opens the file at `path`, or creates it with the examples in it.
    ///
    /// It takes a lock on `path.lock`, and one on the file whatever its name, so that one process at a
    /// time has it open; SQLite keeps `path-wal` and `path-shm` beside it.
    ///
    /// - Throws: the ``StorageError`` that keeps the file from being used. One that is in use, no
    ///   database, another program's or a newer version's is left as it was.
    public static func open(
        path: String,
        logger: Logger
    ) throws(StorageError) -> SQLiteStore {
        let file = try DatabaseFile(path: path, schema: .current, logger: logger)
        return SQLiteStore(file: file)
    }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        // Known to this task, and `body` runs on a queue of the database.
        let recorder = topics.recorder
        return try await file.read { database in
            try body(SQLiteTransaction(database, recorder: recorder))
        }
    }

    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        let recorder = topics.recorder
        return try await write(for: ActionAttempt.current) { [topics] database in
            let transaction = SQLiteTransaction(database, recorder: recorder)
            let value = try body(transaction)
            let touched = transaction.touched
            return Committing(value) {
                if !touched.isEmpty { topics.announce(touched) }
            }
        }
    }

    /// Closes the file, once the transactions that have begun have ended; later ones throw
    /// `StoreError.closed`. The store's history closes with it. Closing twice does no harm.
    ///
    /// A store that is let go without it closes too, but at no certain time.
    public func close() async {
        await file.close()
    }
}
