@testable import ExampleScreens
import ExampleStores
import ScreenService
import Synchronization

/// A database that several processes share. Each has a store of its own, which hears of the commits of all.
final class SharedDatabase: Sendable {
    struct OutOfReach: Error {}

    private struct State {
        /// By upstream.
        var saved: [String: String] = [:]
        var replicas: [Topics] = []
        var refusals = 0
    }

    private let state = Mutex(State())

    /// What was saved last of an upstream.
    subscript(upstream: String) -> String? {
        get { state.withLock { $0.saved[upstream] } }
        set { state.withLock { $0.saved[upstream] = newValue } }
    }

    /// The store of a process.
    func store(of topics: Topics) -> any Store<any PostsFeedTransaction> {
        state.withLock { $0.replicas.append(topics) }
        return SharedStore(database: self)
    }

    /// Has so many of the next transactions fail.
    func refuse(_ count: Int) {
        state.withLock { $0.refusals = count }
    }

    fileprivate func commit<Value>(_ body: (inout any PostsFeedTransaction) throws -> Value) throws -> Value {
        let (value, announced, replicas) = try state.withLock { state in
            guard state.refusals == 0 else {
                state.refusals -= 1
                throw OutOfReach()
            }
            var transaction: any PostsFeedTransaction = SharedTransaction(saved: state.saved)
            let value = try body(&transaction)
            let ended = transaction as! SharedTransaction
            state.saved = ended.saved
            return (value, ended.announced, state.replicas)
        }
        if !announced.isEmpty { for topics in replicas { topics.announce(announced) } }
        return value
    }
}

private struct SharedStore: Store {
    let database: SharedDatabase

    func read<Value: Sendable>(_ body: @Sendable @escaping (any PostsFeedTransaction) throws -> Value) async throws -> Value {
        try database.commit { try body($0) }
    }

    func write<Value: Sendable>(
        _ body: @Sendable @escaping (inout any PostsFeedTransaction) throws -> Value
    ) async throws -> Value {
        try database.commit(body)
    }
}

private struct SharedTransaction: PostsFeedTransaction {
    var saved: [String: String]
    var announced: Set<Topic> = []

    func postsFeed(of upstream: String) -> String? { saved[upstream] }

    mutating func savePostsFeed(_ json: String, of upstream: String, isShown: Bool) {
        saved[upstream] = json
        announced.insert(Topic(PostsFeedTopics.progress))
        if isShown { announced.insert(Topic(PostsFeedTopics.shown)) }
    }
}

/// The leadership of a process that leads when a test says so.
final class HeldLeadership: Leadership {
    private let beginnings = AsyncStream.makeStream(of: Void.self)
    private let term = Mutex<Task<Void, Never>?>(nil)

    func begin() {
        beginnings.continuation.yield()
    }

    /// Ends a term that has had effects, and waits for its end.
    func end() async {
        let term = term.withLock { $0 }
        term?.cancel()
        await term?.value
    }

    func whileLeading(_ body: @escaping @Sendable () async -> Void) async {
        for await _ in beginnings.stream {
            let task = term.withLock { term in
                let task = Task { await body() }
                term = task
                return task
            }
            await withTaskCancellationHandler { await task.value } onCancel: { task.cancel() }
        }
    }
}
