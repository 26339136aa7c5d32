/// Keeps the records that the example screens read.
///
/// Each backend is one implementation. Whoever reads several records in one ``read(_:)`` sees one
/// state of them, whatever is written meanwhile.
public protocol Store: Sendable {
    /// Runs `body` in one read transaction.
    ///
    /// - Throws: what `body` throws; ``StoreError/closed`` once the store is closed;
    ///   `CancellationError` where the task is cancelled before the value is there.
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value

    /// Runs `body` in one write transaction, one write at a time. Where `body` throws, nothing of
    /// it is kept. Cancelling the task does not stop a write that has begun, so that whoever gets
    /// an error knows that nothing was written. One in an action that the service gives up before the
    /// commit is rolled back.
    ///
    /// - Throws: what `body` throws; ``StoreError/closed`` once the store is closed.
    func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value
}

/// All that can be read within a transaction. It is of no use after its transaction has ended.
public protocol StoreReading: SettingsReading, DeliveriesReading, PostsReading, MountainsReading, ArtistReading,
    WiFiReading
{}

/// All that can be written within a transaction. It is of no use after its transaction has ended.
public protocol StoreWriting: StoreReading, SettingsWriting, DeliveriesWriting, PostsWriting, MountainsWriting,
    ArtistWriting, WiFiWriting
{}
