import Synchronization

extension HTTPServer {
    /// The metrics of one server, shared by its event loops.
    public final class Metrics: Sendable {
        /// The values of the metrics at one time.
        public struct Counts: Sendable, Equatable {
            /// The memory of request bodies that are being received or processed, in bytes.
            public var bodyBytes = 0
            /// The number of requests that were rejected because there was no memory for their bodies.
            public var rejectedBodies = 0

            public init() {}
        }

        private let bodyBytes = Atomic(0)
        private let rejectedBodies = Atomic(0)

        public init() {}

        public var current: Counts {
            var counts = Counts()
            counts.bodyBytes = bodyBytes.load(ordering: .relaxed)
            counts.rejectedBodies = rejectedBodies.load(ordering: .relaxed)
            return counts
        }

        func countBodyBytes(_ count: Int) {
            bodyBytes.add(count, ordering: .relaxed)
        }

        func countRefusedBody() {
            rejectedBodies.add(1, ordering: .relaxed)
        }
    }
}
