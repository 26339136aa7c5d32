import Synchronization

/// Looks up keys in a store in batches, one batch at a time.
///
/// A key that is requested while a batch is in progress is looked up in a later batch. Therefore the look-up of a key always begins after
/// the request. The store runs one transaction at a time, regardless of the number of requests. The number of waiting requests is limited.
package final class BatchedLookups<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An error that is thrown if a request would exceed the maximum number of waiting requests.
    package struct Overload: Error {}

    /// A function that looks up a batch of keys. A key that is missing in the result has no value.
    package typealias Lookup = @Sendable (_ keys: [Key]) async throws -> [Key: Value]

    private typealias Request = (key: Key, continuation: CheckedContinuation<Value?, any Error>)

    private struct State {
        var waiting: [Request] = []
        var isRunning = false
    }

    private let batchLimit, waitingLimit: Int
    private let state = Mutex(State())

    /// Creates an instance without waiting requests.
    ///
    /// - Parameters:
    ///   - batchLimit: The maximum number of requests in one batch.
    ///   - waitingLimit: The maximum number of requests that wait for a later batch.
    package init(batchLimit: Int, waitingLimit: Int) {
        (self.batchLimit, self.waitingLimit) = (batchLimit, waitingLimit)
    }

    /// The number of requests that wait for a later batch.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the value of a key, or `nil` if the key has no value.
    ///
    /// The look-up begins after the call. Cancelling the task does not end the wait.
    ///
    /// - Parameter lookup: The function that looks up a batch. All requests must pass the same function, because one call serves several
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
            // The task is detached, because it also serves requests of other tasks.
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
