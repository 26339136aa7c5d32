import Synchronization

extension HTTPServer {
    /// The counts of one server, shared by its event loops.
    public final class Metrics: Sendable {
        /// The counts at one time.
        public struct Counts: Sendable, Equatable {
            /// The memory of the bodies that are being received, or whose answers are not there yet, in bytes.
            public var bodyBytes = 0
            /// The number of requests whose bodies had no room in that memory.
            public var refusedBodies = 0

            public init() {}
        }

        private let bodyBytes = Atomic(0)
        private let refusedBodies = Atomic(0)

        public init() {}

        public var current: Counts {
            var counts = Counts()
            counts.bodyBytes = bodyBytes.load(ordering: .relaxed)
            counts.refusedBodies = refusedBodies.load(ordering: .relaxed)
            return counts
        }

        func countBodyBytes(_ count: Int) {
            bodyBytes.add(count, ordering: .relaxed)
        }

        func countRefusedBody() {
            refusedBodies.add(1, ordering: .relaxed)
        }
    }
}
