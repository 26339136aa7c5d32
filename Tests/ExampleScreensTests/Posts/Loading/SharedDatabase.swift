import ExampleRecords
import ScreenService
import Synchronization

@testable import ExampleScreens

/// A database in memory that several simulated processes share. All processes receive the topics that each commit announces.
final class SharedDatabase: Sendable {
    struct Unreachable: Error {}

    private struct State {
        /// The saved states as JSON. The key of a state is the URL of its upstream.
        var saved: [String: String] = [:]
        var replicas: [Topics] = []
        var failures = 0
    }

    private let state = Mutex(State())

    /// The last saved state of an upstream, as JSON, or `nil` if no state was saved.
    subscript(upstream: String) -> String? {
        get { state.withLock { $0.saved[upstream] } }
        set { state.withLock { $0.saved[upstream] = newValue } }
    }

    /// Returns a store for one process. Every commit of any process announces its topics through `topics`.
    func store(of topics: Topics) -> Store<PostsFeedTransaction> {
        state.withLock { $0.replicas.append(topics) }
        return Store(in: SharedStore(database: self))
    }

    /// Makes the next `count` transactions fail.
    func failNext(_ count: Int) {
        state.withLock { $0.failures = count }
    }

    fileprivate func commit<Value>(_ body: (SharedTransaction) throws -> Value) throws -> Value {
        try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                throw Unreachable()
            }
            let transaction = SharedTransaction(saved: state.saved)
            let value = try body(transaction)
            state.saved = transaction.saved
            // While the lock is held, so that commits are announced in their order, as on PostgreSQL.
            if !transaction.announced.isEmpty { for topics in state.replicas { topics.announce(transaction.announced) } }
            return value
        }
    }
}

private struct SharedStore: RecordStoring {
    let database: SharedDatabase

    func read<Value: Sendable>(_ body: @Sendable @escaping (SharedTransaction) throws -> Value) async throws -> Value {
        try database.commit(body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (SharedTransaction) throws -> Value) async throws -> Value {
        try database.commit(body)
    }
}

/// A transaction on a table of two columns. A read returns the row whose key is the first argument. A write replaces that row.
private final class SharedTransaction: RecordTransaction {
    let engine = RecordEngine.postgres
    var saved: [String: String]
    var announced: Set<Topic> = []

    init(saved: [String: String]) {
        self.saved = saved
    }

    func recordRead(of topic: Topic) {}
    func announce(_ topic: Topic) { announced.insert(topic) }

    func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> [Value] {
        guard let upstream = arguments[0] as? String, let state = saved[upstream] else { return [] }
        return [try value(SharedRow(state: state))]
    }

    func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> Value? {
        try rows(of: topic, sql, arguments, announcing: announced, value).first
    }

    func write(
        _ sql: String, _ arguments: [(any RecordValue)?], announcing topics: [Topic], ifTaken taken: (any Error)?, key: [String],
        ifOrphaned orphaned: (any Error)?
    ) throws -> Int {
        saved[arguments[0] as! String] = arguments[1] as? String
        announced.formUnion(topics)
        return 1
    }
}

private struct SharedRow: RecordRow {
    let state: String

    func scalar(at column: Int) -> RecordScalar { .text(state) }
}

/// A simulated leadership of a process. A test begins and ends the leadership.
final class ManualLeadership: Sendable {
    private let beginnings = AsyncStream.makeStream(of: Void.self)
    private let term = Mutex<Task<Void, Never>?>(nil)

    func begin() {
        beginnings.continuation.yield()
    }

    /// Cancels the task that runs while the process leads, and waits until the task has ended. Call this function only after the task
    /// has started.
    func end() async {
        let term = term.withLock { $0 }
        term?.cancel()
        await term?.value
    }

    @Sendable func whileLeading(_ body: @escaping @Sendable () async -> Void) async {
        for await _ in beginnings.stream {
            let task = term.withLock { term in
                let task = Task { await body() }
                term = task
                return task
            }
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
