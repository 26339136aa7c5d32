import Logging
import ScreenService

/// A replica that competes with other replicas for the leadership. The leader is the replica whose connection holds an advisory lock. The
/// leadership ends when this connection ends. The connection is used only on the thread of the candidate.
final class Candidate: Sendable {
    private let connection: PostgresConnection
    private let thread: BlockingWork
    private let lock: AdvisoryLock
    private let timeLimit: Duration

    init(for lock: AdvisoryLock, at address: PostgresAddress, timeLimit: Duration) async throws {
        thread = BlockingWork(width: 1, waitingLimit: 1)
        connection = try await thread.run {
            let connection = try PostgresConnection(to: address, statementTimeout: timeLimit)
            // After this time, a replica that hangs loses the lock.
            try connection.script("SET idle_session_timeout = '5s'", until: .now + timeLimit)
            return connection
        }
        (self.lock, self.timeLimit) = (lock, timeLimit)
    }

    /// Tries once to become the leader, and returns true on success.
    func becomeLeader() async throws -> Bool {
        try await run(lock.tryLock)
    }

    /// A Boolean value that indicates whether the leader still holds the lock.
    var isLeader: Bool {
        get async { (try? await run(Statement("SELECT true"))) ?? false }
    }

    private func run(_ statement: Statement) async throws -> Bool {
        try await thread.run { [self] in try connection.run([statement], until: .now + timeLimit)[0].row(0)[0] }
    }
}

extension PostgresServiceStore {
    /// The time between two attempts to become the leader, and between two checks that the leader still holds the lock.
    private static let leadingInterval = Duration.milliseconds(500)

    /// Runs `body` while this replica is the leader. Several replicas can call this function with the same name, but only one of them is
    /// the leader at a time. The function uses an additional connection.
    ///
    /// `body` runs each time that this replica becomes the leader. This function returns when the task is cancelled, when `body` returns on
    /// its own or fails, or when the store is closed. An error of `body` is logged.
    ///
    /// When this replica loses the leadership, the task of `body` is cancelled. `body` may continue for a moment while another replica is
    /// already the leader. So the transactions of `body` must check that their writes are still allowed.
    public func whileLeading(_ name: String, _ body: @escaping @Sendable () async throws -> Void) async {
        var hasFailed = false
        while !Task.isCancelled, !database.pool.isClosed {
            do {
                let candidate = try await database.candidate(for: .named(name))
                hasFailed = false
                if await run(body, whileLeading: candidate) { return }
            } catch {
                if !hasFailed {
                    database.logger.warning("no leader can be determined", metadata: ["name": "\(name)", "error": "\(error)"])
                }
                hasFailed = true
            }
            try? await Task.sleep(for: Self.leadingInterval)
        }
    }

    /// Runs `body` when the candidate becomes the leader. Returns `true` only if `body` has returned on its own or has failed.
    private func run(_ body: @escaping @Sendable () async throws -> Void, whileLeading candidate: Candidate) async -> Bool {
        while !Task.isCancelled, !database.pool.isClosed, let isLeader = try? await candidate.becomeLeader() {
            if isLeader { return await run(body, asLeader: candidate) }
            try? await Task.sleep(for: Self.leadingInterval)
        }
        return false
    }

    private func run(_ body: @escaping @Sendable () async throws -> Void, asLeader candidate: Candidate) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    try await body()
                } catch {
                    if error is CancellationError, Task.isCancelled { return false }
                    self.database.logger.error("the work of the leader has failed", metadata: ["error": "\(error)"])
                }
                return !Task.isCancelled
            }
            group.addTask {
                while (try? await Task.sleep(for: Self.leadingInterval)) != nil, !self.database.pool.isClosed, await candidate.isLeader {}
                return false
            }
            let hasReturned = await group.next() ?? false
            group.cancelAll()
            return hasReturned
        }
    }
}
