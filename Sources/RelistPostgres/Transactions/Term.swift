import ScreenService

/// The time in which this replica, of all, holds a lock: for as long as the connection lasts on which it was taken.
final class Term: Sendable {
    private let connection: PostgresConnection
    private let thread: BlockingWork
    private let timeLimit: Duration

    private init(_ connection: PostgresConnection, _ thread: BlockingWork, timeLimit: Duration) {
        (self.connection, self.thread, self.timeLimit) = (connection, thread, timeLimit)
    }

    /// Asks for a lock.
    ///
    /// - Returns: nil while another replica holds it.
    /// - Throws: ``PostgresError``
    static func begin(_ lock: AdvisoryLock, at address: PostgresAddress, timeLimit: Duration) async throws -> Term? {
        let thread = BlockingWork(width: 1, waitingLimit: 1)
        let connection = try await thread.run { () throws -> PostgresConnection? in
            let connection = try PostgresConnection(to: address, statementTimeout: timeLimit)
            let asking = Statement("SELECT pg_try_advisory_lock($1, $2)", lock.arguments)
            let isHeld: Bool = try connection.run([asking], until: .now + timeLimit)[0].row(0)[0]
            return isHeld ? connection : nil
        }
        return connection.map { Term($0, thread, timeLimit: timeLimit) }
    }

    /// Whether it goes on.
    var goesOn: Bool {
        get async {
            await (try? thread.run { [self] in
                _ = try connection.run([Statement("SELECT 1")], until: .now + timeLimit)
                return true
            }) ?? false
        }
    }
}

extension PostgresServiceStore {
    /// How often it is asked whether this replica leads.
    private static let leadingInterval = Duration.milliseconds(500)

    /// Runs `body` while this replica leads those that ask under the same name, again each time that it comes to lead, until the
    /// task is cancelled or `body` returns by itself.
    ///
    /// Once it leads no more the task of `body` is cancelled; it may go on for a moment while another replica leads already, so
    /// what it writes has to be checked where it is written.
    public func whileLeading(_ name: String, _ body: @escaping @Sendable () async -> Void) async {
        while !Task.isCancelled {
            let term = try? await database.beginTerm(.named(name))
            if let term, await run(body, during: term) { return }
            try? await Task.sleep(for: Self.leadingInterval)
        }
    }

    /// - Returns: whether `body` has returned by itself.
    private func run(_ body: @escaping @Sendable () async -> Void, during term: Term) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body()
                return !Task.isCancelled
            }
            group.addTask {
                while (try? await Task.sleep(for: Self.leadingInterval)) != nil, await term.goesOn {}
                return false
            }
            let isOver = await group.next() ?? false
            group.cancelAll()
            return isOver
        }
    }
}
