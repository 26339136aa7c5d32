import Glibc
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
        private let streams = Atomic(0)
        /// The clock of the processor time of each event loop.
        private let loopClocks = Mutex<[clockid_t]>([])

        public init() {}

        public var current: Counts {
            var counts = Counts()
            counts.bodyBytes = bodyBytes.load(ordering: .relaxed)
            counts.rejectedBodies = rejectedBodies.load(ordering: .relaxed)
            return counts
        }

        /// The number of open streams.
        public var openStreams: Int { streams.load(ordering: .relaxed) }

        /// The processor time of each event loop in seconds. An event loop never blocks, so this is the time that it is not waiting for
        /// events. The system measures it, so it costs requests nothing.
        public var loopSeconds: [Double] {
            loopClocks.withLock { $0 }.map { clock in
                var time = timespec()
                // The call fails after the thread has ended.
                return clock_gettime(clock, &time) == 0 ? Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 : 0
            }
        }

        /// Adds the calling thread, which is an event loop.
        func addLoop() {
            var clock = clockid_t()
            if pthread_getcpuclockid(pthread_self(), &clock) == 0 { loopClocks.withLock { $0.append(clock) } }
        }

        func countStreams(_ change: Int) {
            streams.add(change, ordering: .relaxed)
        }

        func countBodyBytes(_ count: Int) {
            bodyBytes.add(count, ordering: .relaxed)
        }

        func countRefusedBody() {
            rejectedBodies.add(1, ordering: .relaxed)
        }
    }
}
