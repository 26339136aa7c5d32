import Synchronization

extension HTTPServer {
    /// The counts of one server, shared by its event loops.
    public final class Metrics: Sendable {
        /// The number of times that a loop has looked at a connection's deadline, or at its stage while it drains.
        let connectionVisits = Atomic(0)

        public init() {}
    }
}
