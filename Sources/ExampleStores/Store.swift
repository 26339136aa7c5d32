/// The records of one screen, read and written in transactions.
///
/// Each screen has a protocol of its own for what can be done within one: `any Store<any SettingsTransaction>`
/// keeps what users have set. Each engine implements that protocol.
///
/// A transaction is a closure that blocks a thread which belongs to the store, never one of Swift's. It is
/// of no use after the closure has ended.
public protocol Store<Transaction>: Sendable {
    /// What can be read and written within a transaction. Functions that write are mutating, so that the
    /// compiler refuses them in ``read(_:)``.
    associatedtype Transaction

    /// Runs `body` in one read transaction. All that it reads is one state, whatever is written meanwhile.
    ///
    /// - Throws: what `body` throws; what the engine does, also once the store is closed;
    ///   `CancellationError` where the task is cancelled before the value is returned.
    func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value

    /// Runs `body` in one write transaction, one write at a time. Where `body` throws, nothing of
    /// it is kept. Cancelling the task does not stop a write that has begun, so that whoever gets
    /// an error knows that nothing was written. One in an action that the service gives up before the
    /// commit is rolled back.
    ///
    /// - Throws: what `body` throws; what the engine does, also once the store is closed.
    func write<Value: Sendable>(_ body: @Sendable @escaping (inout Transaction) throws -> Value) async throws -> Value
}
