import Synchronization

/// A limit on the time to wait for work that may hang.
public struct Deadline: Sendable {
    /// A function that starts a timer, which calls `pass` at the deadline. The returned function cancels the timer.
    public typealias Schedule = @Sendable (_ pass: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private let schedule: Schedule

    /// Creates a deadline from a function that starts a timer.
    public init(_ schedule: @escaping Schedule) {
        self.schedule = schedule
    }

    /// Returns a deadline that passes when the work has run for the given time.
    public static func after(_ duration: Duration) -> Deadline {
        let timers = Timers()
        return Deadline { timers.schedule(after: duration, $0) }
    }

    /// Runs `work` in a new task, and returns its value.
    ///
    /// If the deadline passes first, the new task is cancelled, and the function throws an error immediately. Work that ignores the
    /// cancellation continues. Cancelling the calling task has no effect.
    ///
    /// - Parameter late: A function that receives the task of the work after the deadline, and returns the error to throw.
    package func value<Value: Sendable>(
        of work: @escaping @Sendable () async throws -> Value,
        late: @escaping @Sendable (_ straggler: Task<Void, Never>) -> any Error
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        start(work, settling: outcome, late: late)
        return try await outcome.value
    }

    /// Runs `work` like ``value(of:late:)``. Any number of tasks can wait for `outcome`.
    ///
    /// With an executor, the deadline is measured from the beginning of the work. Work that waits for its executor can be started a second
    /// time, without an executor and with the same `outcome`. It runs only once, in the task that begins first.
    ///
    /// - Parameter ended: A function to call once, before `outcome` is settled.
    func start<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, isDetached: Bool = false, on executor: (any TaskExecutor)? = nil,
        settling outcome: Outcome<Value>,
        ended: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in },
        late: @escaping @Sendable (_ straggler: Task<Void, Never>) -> any Error
    ) {
        let owner: Outcome<Value>.Owner = executor == nil ? .task : .executorTask
        // A detached task and the timer of the deadline do not inherit the trace.
        let trace = RequestTrace.current
        let launch = Mutex<(task: Task<Void, Never>?, hasBegun: Bool)>((nil, executor == nil))
        // Starts the deadline when the task exists and the work has begun. A call with the task reports that the task exists. A call with
        // `nil` reports that the work has begun on the executor. Without an executor, the deadline starts as soon as the task exists.
        let startDeadline: @Sendable (_ task: Task<Void, Never>?) -> Void = { [schedule] task in
            let running = launch.withLock { launch in
                if let task { launch.task = task } else { launch.hasBegun = true }
                return launch.hasBegun ? launch.task.take() : nil
            }
            guard let running else { return }
            let cancel = schedule {
                guard outcome.take(owner), outcome.claim() else { return }
                running.cancel()
                let result = Result<Value, any Error>.failure(RequestTrace.$current.withValue(trace) { late(running) })
                ended(result)
                outcome.settle(result)
            }
            outcome.whenSettled { _ in cancel() }
        }
        let run: @Sendable () async -> Void = {
            guard outcome.take(owner) else { return }
            if executor != nil { startDeadline(nil) }
            let result = await RequestTrace.$current.withValue(trace) { await Result(catching: work) }
            guard outcome.claim() else { return }
            ended(result)
            outcome.settle(result)
        }
        let task = isDetached ? Task.detached(executorPreference: executor, operation: run) : Task(operation: run)
        startDeadline(task)
    }
}

extension Result where Failure == any Error {
    /// Creates a result from an asynchronous closure, like the synchronous initializer of the standard library.
    package init(isolation: isolated (any Actor)? = #isolation, catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The result of work that has a deadline.
///
/// Work can be started in two tasks, with and without an executor. The task that begins first performs the work, and the other task does
/// nothing. The end of the work and the deadline both try to claim the outcome. Only the first claim sets the result.
final class Outcome<Value: Sendable>: Sendable {
    typealias Waiting = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var waiting: [Waiting] = []
        /// The functions that may take a long time. They are called after the functions in `waiting`.
        var following: [Waiting] = []
        var result: Result<Value, any Error>?
    }

    fileprivate enum Owner: UInt8, AtomicRepresentable {
        case none
        case task
        /// A task that prefers an executor.
        case executorTask
    }

    private let owner = Atomic(Owner.none)
    private let isClaimed = Atomic(false)
    private let state = Mutex(State())

    var hasBegun: Bool { owner.load(ordering: .acquiring) != Owner.none }

    /// Assigns the work to a task, unless the work is already assigned. Returns `false` if the work is assigned to the other task.
    fileprivate func take(_ task: Owner) -> Bool {
        let (isTaken, earlier) = owner.compareExchange(expected: Owner.none, desired: task, ordering: .acquiringAndReleasing)
        return isTaken || earlier == task
    }

    /// Claims the outcome. Returns `false` if it was already claimed.
    fileprivate func claim() -> Bool {
        !isClaimed.exchange(true, ordering: .acquiringAndReleasing)
    }

    fileprivate func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { (state.waiting, state.following) = ([], []) }
            return state.waiting + state.following
        }
        for call in waiting { call(result) }
    }

    /// Calls a function with the result when the outcome is settled, or immediately if the outcome is already settled.
    ///
    /// - Parameter isFollowing: A Boolean value that indicates whether the call is made after all calls without this flag.
    func whenSettled(isFollowing: Bool = false, _ call: @escaping Waiting) {
        let result = state.withLock { state in
            if state.result == nil { if isFollowing { state.following.append(call) } else { state.waiting.append(call) } }
            return state.result
        }
        if let result { call(result) }
    }

    /// The result, which is available when the outcome is settled.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in whenSettled { continuation.resume(with: $0) } }
        }
    }
}

/// The stragglers: tasks that continue past their deadlines. While a screen has too many stragglers, no more work begins for the screen. A
/// view whose computation is a straggler is not computed again, because a new computation could hang like the straggler.
final class Stragglers: Sendable {
    /// The limit of stragglers for each screen. While a screen has this many stragglers or more, no more work begins for the screen.
    static let limit = 16

    private struct State {
        var counts: [String: Int] = [:]
        var views: Set<ScreenView> = []
        var observers: [@Sendable (ScreenView) -> Void] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

    /// Throws ``DeadlineFault/viewIsStraggler`` or ``DeadlineFault/tooManyStragglers`` if work for a screen may not begin.
    func admit(_ screen: String, computing view: ScreenView? = nil) throws(DeadlineFault) {
        let (viewIsStraggler, count) = state.withLock { state in
            (view.map { state.views.contains($0) } ?? false, state.counts[screen] ?? 0)
        }
        if viewIsStraggler { throw .viewIsStraggler }
        if count >= Self.limit { throw .tooManyStragglers }
    }

    /// Adds a function that is called when the straggling computation of a view ends.
    func observeEnds(_ observer: @escaping @Sendable (ScreenView) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Counts a task as a straggler until the task ends.
    func add(_ task: Task<Void, Never>, of screen: String, computing view: ScreenView? = nil) {
        state.withLock { state in
            state.counts[screen, default: 0] += 1
            if let view { state.views.insert(view) }
        }
        Task {
            await task.value
            let observers = state.withLock { state in
                let left = state.counts[screen]! - 1
                state.counts[screen] = left == 0 ? nil : left
                if let view { state.views.remove(view) }
                return state.observers
            }
            if let view { for observe in observers { observe(view) } }
        }
    }
}

/// The error of work that was not done before its deadline, or that was rejected because of other work.
public enum DeadlineFault: Error, Hashable {
    /// The screen was not computed before the deadline.
    case notComputed
    /// The action was not performed before its deadline, and will not be performed later.
    case notPerformed
    /// The action did not end before its deadline. It may have been performed, or may be performed later.
    case outcomeUnknown(hasKey: Bool)
    /// The maximum number of concurrent computations of the screen is reached.
    case tooManyAtOnce
    /// The maximum number of stragglers of the screen is reached.
    case tooManyStragglers
    /// An earlier computation of the view is past its deadline and has not ended yet.
    case viewIsStraggler
}
