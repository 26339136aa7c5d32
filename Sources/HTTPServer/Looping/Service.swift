import Logging
import Synchronization

/// Holds what all event loops of a server share.
final class Service: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: HTTPServer.Handler
    let problem: HTTPServer.ProblemRenderer
    let logger: Logger
    /// Open connections on all loops.
    private let connectionCount = Atomic<Int>(0)

    init(
        configuration: HTTPServer.Configuration,
        handler: @escaping HTTPServer.Handler,
        problem: @escaping HTTPServer.ProblemRenderer,
        logger: Logger
    ) {
        self.configuration = configuration
        self.handler = handler
        self.problem = problem
        self.logger = logger
    }

    /// The limit of one loop: its share, and a few more that are told why they are not served.
    var connectionLimitOfLoop: UInt32 {
        let loops = configuration.loops
        return UInt32(clamping: (configuration.connectionLimit + loops - 1) / loops + 16)
    }

    /// Counts a connection, and says whether it is within the limit.
    func admitConnection() -> Bool {
        connectionCount.add(1, ordering: .relaxed).newValue <= configuration.connectionLimit
    }

    func forgetConnection() {
        connectionCount.subtract(1, ordering: .relaxed)
    }
}
