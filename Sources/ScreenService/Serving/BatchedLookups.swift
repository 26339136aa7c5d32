import Synchronization

/// Look-ups of keys in a store, many keys at a time and one batch after the other.
///
/// A key that is requested while a batch runs is in the next batch, so each batch begins after its keys were requested. A flood
/// of requests costs the store one transaction after another and no more. The number of waiting requests has a bound.
package final class BatchedLookups<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The error of a request beyond the bound.
    package struct Overload: Error {}

    /// Looks up one batch. Keys that are not in the result have no value.
    package typealias Lookup = @Sendable (_ keys: [Key]) async throws -> [Key: Value]

    private typealias Request = (key: Key, continuation: CheckedContinuation<Value?, any Error>)

    private struct State {
        var waiting: [Request] = []
        var isRunning = false
    }

    private let batchLimit, waitingLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - batchLimit: The maximum number of requests in one batch.
    ///   - waitingLimit: The maximum number of requests that wait for the next batches.
    package init(batchLimit: Int, waitingLimit: Int) {
        (self.batchLimit, self.waitingLimit) = (batchLimit, waitingLimit)
    }

    /// The number of requests that wait for the next batches.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the value of a key, as a batch finds it that begins after the call; nil where there is none. Cancelling the task
    /// does not end the wait.
    ///
    /// - Parameter lookup: The same for all requests, as one request's `lookup` serves others, too.
    /// - Throws: ``Overload``, or what `lookup` throws.
    package func value(of key: Key, by lookup: @escaping Lookup) async throws -> Value? {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state -> Bool? in
                guard state.waiting.count < waitingLimit else { return nil }
                state.waiting.append((key, continuation))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard let isFirst else { return continuation.resume(throwing: Overload()) }
            // Detached, because it serves other tasks, too.
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
