import CoreMetrics
import Synchronization

/// The counts and durations of the work of a service since the service was created.
///
/// The counts are read when the metrics are requested. The distributions of durations go to a backend of swift-metrics.
public final class ServiceMetrics: Sendable {
    private let counts = Mutex(Counts())
    private let times = Mutex<[Work: Duration]>([:])
    private let computationTimers, actionTimers: [String: any TimerHandler]
    let followerLag: any TimerHandler
    let commitTimer: any TimerHandler

    /// Creates metrics. The handlers of the backend are used, and not the types `Timer` and `Counter`. Those would retain the backend,
    /// which retains the functions that read this service.
    init(screens: [String], in backend: any MetricsFactory) {
        let timers = { (name: String) in
            Dictionary(uniqueKeysWithValues: screens.map { ($0, backend.makeTimer(label: name, dimensions: [("screen", $0)])) })
        }
        computationTimers = timers("relist_computation_duration_seconds")
        actionTimers = timers("relist_action_duration_seconds")
        followerLag = backend.makeTimer(label: "relist_follower_lag_seconds", dimensions: [])
        commitTimer = backend.makeTimer(label: "relist_commit_duration_seconds", dimensions: [])
    }

    /// The counts of each kind of event.
    public struct Counts: Hashable, Sendable {
        /// The number of computations that have begun, by screen.
        public var computationsByScreen: [String: Int] = [:]
        /// The number of computations that failed or could not begin.
        public var failuresByCause: [FailureCause: Int] = [:]
        /// The number of successful requests for actions, by screen. Repeated requests of performed actions are included.
        public var actionsByScreen: [String: Int] = [:]
        /// The number of requests for actions that failed.
        public var actionFailuresByCause: [FailureCause: Int] = [:]
        /// The number of pairs of versions that were compared.
        public var diffs = 0
        /// The number of repeated ids that were made unique with a number, such as `id#2`.
        public var renamedIDs = 0

        public var computations: Int { computationsByScreen.values.reduce(0, +) }
        public var failures: Int { failuresByCause.values.reduce(0, +) }
        public var actions: Int { actionsByScreen.values.reduce(0, +) }
    }

    /// The kinds of work whose time is measured.
    public enum Work: String, Hashable, Sendable, CaseIterable {
        /// Reading data and computing the model.
        case content
        /// Writing the bytes and fingerprints of a model.
        case rendering
        /// Hashing a document to create its version.
        case hashing
        /// Comparing the outlines of two versions.
        case diffing
        /// Writing a changeset.
        case writing
        /// Encoding an outline for history.
        case encoding
    }

    /// The current counts.
    public var current: Counts { counts.withLock { $0 } }

    /// The total duration of each kind of work. If several pieces of work run at the same time, the duration of each is added.
    public var durations: [Work: Duration] { times.withLock { $0 } }

    func count(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }

    /// Runs `body`, and adds its duration to the total of a kind of work.
    func timing<Value>(_ work: Work, _ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(.now - start, to: work) }
        return try body()
    }

    func timing<Value>(_ work: Work, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(.now - start, to: work) }
        return try await body()
    }

    private func add(_ duration: Duration, to work: Work) {
        times.withLock { $0[work, default: .zero] += duration }
    }

    /// Runs the computation of a screen, and records its duration.
    func timingComputation<Value>(of screen: String, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        defer { computationTimers[screen]?.record(.now - start) }
        return try await body()
    }

    /// Runs the handler of an action of a screen, and records its duration.
    func timingHandler<Value>(of screen: String, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        defer { actionTimers[screen]?.record(.now - start) }
        return try await body()
    }
}

extension TimerHandler {
    func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

/// The kind of a failure, for metrics.
public enum FailureCause: String, Hashable, Sendable, CaseIterable {
    /// The work took longer than its deadline.
    case deadline
    /// A limit was reached, so the work did not begin.
    case overload
    /// A store could not be reached, or it did not respond in time.
    case data
    /// The request cannot succeed: it names something unknown, it is not permitted, or its input is invalid.
    case request
    case cancelled
    /// Any other error, which is a fault of the program.
    case fault

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as FailedComputation: Self(failure.cause)
            case let failure as ActionFailure: Self(failure.cause)
            case DeadlineFault.notComputed, DeadlineFault.notPerformed, DeadlineFault.outcomeUnknown: .deadline
            case is DeadlineFault, ActionFault.tooManyInProgress, ActionFault.receiptsFull: .overload
            case is DataUnavailable, ActionFault.performedButNotAnswered: .data
            case is ViewFault, is ScreenError, is InputFaults, is BrokenRules, is ActionFault: .request
            case is CancellationError: .cancelled
            default: .fault
            }
    }
}
