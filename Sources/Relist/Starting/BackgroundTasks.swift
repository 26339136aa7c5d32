import Logging
import Synchronization

/// Work that runs in the background while a server runs.
final class BackgroundTasks: Sendable {
    typealias Work = @Sendable () async throws -> Void

    private let added = Mutex<[Work]>([])

    func add(_ work: @escaping Work) {
        added.withLock { $0.append(work) }
    }

    /// Starts one task for each added work, and returns the tasks. Errors of the work are logged.
    func start(_ logger: Logger) -> [Task<Void, Never>] {
        added.withLock { $0 }.map { work in
            Task {
                do {
                    try await work()
                } catch {
                    if error is CancellationError, Task.isCancelled { return }
                    logger.error("background work has failed", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
