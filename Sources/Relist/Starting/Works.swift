import Logging
import ScreenService
import Synchronization

/// What runs beside a server.
final class Works: Sendable {
    typealias Work = @Sendable () async throws -> Void

    /// How long the server waits for it at its end.
    private static let patience = Duration.seconds(5)

    private let waiting = Mutex<[Work]>([])

    func add(_ work: @escaping Work) {
        waiting.withLock { $0.append(work) }
    }

    func start(_ logger: Logger) -> Running {
        let works = waiting.withLock { works in
            defer { works = [] }
            return works
        }
        return Running(tasks: works.map { work in Task { await Self.run(work, logger) } })
    }

    private static func run(_ work: Work, _ logger: Logger) async {
        do {
            try await work()
        } catch is CancellationError where Task.isCancelled {
            return
        } catch {
            logger.error("what runs beside the server has failed", metadata: ["error": "\(error)"])
        }
    }

    /// Some that was started.
    struct Running {
        fileprivate let tasks: [Task<Void, Never>]

        /// Cancels it, and waits until it has ended, but for what does not end for too long.
        func end() async {
            for task in tasks { task.cancel() }
            try? await Deadline.after(patience).value { [tasks] in
                for task in tasks { await task.value }
            } late: { _ in
                CancellationError()
            }
        }
    }
}
