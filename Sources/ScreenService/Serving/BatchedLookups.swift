import Synchronization

/// Looks up keys in a store in batches, one batch at a time. The number of waiting requests is limited.
///
/// A key that is requested while a batch is in progress is looked up in a later batch. Therefore the look-up of a key always begins after
/// the request.
package final class BatchedLookups<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An error that is thrown if too many requests are waiting.
    package struct Overload: Error {}

    /// A function that looks up a batch of keys. The result does not contain the keys that have no value.
    package typealias Lookup = @Sendable (_ keys: [Key]) async throws -> [Key: Value]

    private typealias Request = (key: Key, continuation: CheckedContinuation<Value?, any Error>)

    private struct State {
        var waiting: [Request] = []
        var isRunning = false
    }

    /// The maximum numbers of requests in one batch, and of requests that wait for a batch.
    private let batchLimit, waitingLimit: Int
    private let state = Mutex(State())

    package init(batchLimit: Int, waitingLimit: Int) {
        (self.batchLimit, self.waitingLimit) = (batchLimit, waitingLimit)
    }

    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the value of a key, or `nil` if the key has no value. Cancelling the task does not end the wait.
    ///
    /// - Parameter lookup: The function that looks up a batch. It must be the same for all requests, because one call serves several
    ///   requests.
    /// - Throws: ``Overload``, and the errors of `lookup`.
    package func value(of key: Key, by lookup: @escaping Lookup) async throws -> Value? {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state -> Bool? in
                guard state.waiting.count < waitingLimit else { return nil }
                state.waiting.append((key, continuation))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard let isFirst else { return continuation.resume(throwing: Overload()) }
            // The task serves requests of several tasks, so it is detached.
            if isFirst { Task.detached { await self.run(lookup) } }
        }
    }

    private func run(_ lookup: Lookup) async {
        while let batch = takeBatch() {
            let result = await Result { try await lookup(Array(Set(batch.map(\.key)))) }
            for (key, continuation) in batch { continuation.resume(with: result.map { $0[key] }) }
        }
    }

    private func takeBatch() -> [Request]? {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(batchLimit))
            state.waiting.removeFirst(batch.count)
            state.isRunning = !batch.isEmpty
            return batch.isEmpty ? nil : batch
        }
    }
}
