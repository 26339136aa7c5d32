import Logging
import ScreenService

/// A replica that would lead those that ask for the same lock: it does for as long as the connection lasts on which it has it.
///
/// Its connection is used on its one thread alone.
final class Candidate: Sendable {
    private let connection: PostgresConnection
    private let thread: BlockingWork
    private let lock: AdvisoryLock
    private let timeLimit: Duration

    /// - Throws: ``PostgresError``
    init(for lock: AdvisoryLock, at address: PostgresAddress, timeLimit: Duration) async throws {
        thread = BlockingWork(width: 1, waitingLimit: 1)
        connection = try await thread.run {
            let connection = try PostgresConnection(to: address, statementTimeout: timeLimit)
            // One that stands still leads no longer than that.
            try connection.script("SET idle_session_timeout = '5s'", until: .now + timeLimit)
            return connection
        }
        (self.lock, self.timeLimit) = (lock, timeLimit)
    }

    /// Whether it leads now, where it has not led before.
    ///
    /// - Throws: ``PostgresError``
    func begins() async throws -> Bool {
        try await ask(lock.asking)
    }

    /// Whether it still leads.
    var goesOn: Bool {
        get async { (try? await ask(Statement("SELECT true"))) ?? false }
    }

    private func ask(_ question: Statement) async throws -> Bool {
        try await thread.run { [self] in try connection.run([question], until: .now + timeLimit)[0].row(0)[0] }
    }
}

extension PostgresServiceStore {
    /// How often it is asked whether this replica leads.
    private static let leadingInterval = Duration.milliseconds(500)

    /// Runs `body` while this replica leads those that ask under the same name, again each time that it comes to lead, until the
    /// task is cancelled, `body` returns by itself, or the store is closed. It takes a connection of its own.
    ///
    /// Once it leads no more the task of `body` is cancelled; it may go on for a moment while another replica leads already, so
    /// what it writes has to be checked where it is written.
    public func whileLeading(_ name: String, _ body: @escaping @Sendable () async -> Void) async {
        var hasFailed = false
        while !Task.isCancelled, !database.pool.isClosed {
            do {
                let candidate = try await database.candidate(for: .named(name))
                hasFailed = false
                if await run(body, whileLeading: candidate) { return }
            } catch {
                if !hasFailed {
                    database.logger.warning("it is not known who leads", metadata: ["name": "\(name)", "error": "\(error)"])
                }
                hasFailed = true
            }
            try? await Task.sleep(for: Self.leadingInterval)
        }
    }

    /// - Returns: whether `body` has returned by itself; false once the connection is gone.
    private func run(_ body: @escaping @Sendable () async -> Void, whileLeading candidate: Candidate) async -> Bool {
        while !Task.isCancelled, !database.pool.isClosed, let begins = try? await candidate.begins() {
            if begins { return await run(body, duringTermOf: candidate) }
            try? await Task.sleep(for: Self.leadingInterval)
        }
        return false
    }

    private func run(_ body: @escaping @Sendable () async -> Void, duringTermOf candidate: Candidate) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body()
                return !Task.isCancelled
            }
            group.addTask {
                while (try? await Task.sleep(for: Self.leadingInterval)) != nil, !self.database.pool.isClosed, await candidate.goesOn {}
                return false
            }
            let isOver = await group.next() ?? false
            group.cancelAll()
            return isOver
        }
    }
}
