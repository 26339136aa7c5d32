public import Logging
public import ScreenService
public import Storage

/// Keeps the examples' records in an SQLite file.
///
/// Its reads record their topics into the `ReadRecorder` of the task that asks; its commits
/// announce the topics that they touched; the first of an action takes its receipt along, and none is
/// made of an action that was given up. Reads run beside each other and beside the one write at a time,
/// each on the state that was committed when it began. While the file or its log is not where it was
/// opened, both throw `DataUnavailable`.
public final class SQLiteStore: Store {
    let file: DatabaseFile
    private let topics: any TopicAnnouncing

    init(file: DatabaseFile, topics: any TopicAnnouncing) {
        self.file = file
        self.topics = topics
    }

    /// Opens the file at `path`, or creates it with the examples in it.
    ///
    /// It takes a lock on `path.lock`, and one on the file whatever its name, so that one process at a
    /// time has it open; SQLite keeps `path-wal` and `path-shm` beside it.
    ///
    /// - Parameter topics: told of every commit that changed something.
    /// - Throws: the ``StorageError`` that keeps the file from being used. One that is in use, no
    ///   database, another program's or a newer version's is left as it was.
    public static func open(
        path: String,
        topics: any TopicAnnouncing,
        logger: Logger
    ) throws(StorageError) -> SQLiteStore {
        let file = try DatabaseFile(path: path, schema: .current, logger: logger)
        return SQLiteStore(file: file, topics: topics)
    }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        // The recorder is a task-local, and `body` runs on a queue of the database.
        let recorder = ReadRecorder.current
        return try await file.read { database in
            try body(SQLiteTransaction(database, recorder: recorder))
        }
    }

    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        let recorder = ReadRecorder.current
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
