import Synchronization

/// A limit on the time to wait for work that may hang.
public struct Deadline: Sendable {
    /// A function that starts a timer for work that begins now. The timer calls `pass` at the deadline. The function returns another
    /// function, which cancels the timer.
    public typealias Schedule = @Sendable (_ pass: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private let schedule: Schedule

    /// Creates a deadline from a function that starts a timer.
    public init(_ schedule: @escaping Schedule) {
        self.schedule = schedule
    }

    /// Returns a deadline that gives each piece of work the same duration from its start.
    public static func after(_ duration: Duration) -> Deadline {
        let timers = Timers()
        return Deadline { timers.schedule(after: duration, $0) }
    }

    /// Runs `work` in a new task, and returns its value.
    ///
    /// If the deadline passes first, the new task is cancelled, and the function throws an error immediately. Work that ignores the
    /// cancellation continues. Cancelling the calling task has no effect.
    ///
    /// - Parameter late: A function that is called if the deadline passes first. It receives the task that runs `work`, and returns the
    ///   error to throw.
    package func value<Value: Sendable>(
        of work: @escaping @Sendable () async throws -> Value,
        late: @escaping @Sendable (_ straggler: Task<Void, Never>) -> any Error
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        start(work, settling: outcome, late: late)
        return try await outcome.value
    }

    /// Runs `work` like ``value(of:late:)``. Any number of tasks can wait for the outcome of the work.
    ///
    /// Work that still waits for its executor can be started a second time, without an executor and with the same `outcome`. It runs only
    /// once, in the task that begins first.
    ///
    /// - Parameters:
    ///   - isDetached: A Boolean value that indicates whether the task is detached from the calling task.
    ///   - executor: The executor of detached work, or `nil` for the default executor. With an executor, the deadline is measured from the
    ///     beginning of the work. Without an executor, it is measured from the call.
    ///   - outcome: The outcome that receives the result.
    ///   - ended: A function to call once, before `outcome` is settled.
    func start<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, isDetached: Bool = false, on executor: (any TaskExecutor)? = nil,
        settling outcome: Outcome<Value>,
        ended: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in },
        late: @escaping @Sendable (_ straggler: Task<Void, Never>) -> any Error
    ) {
        let owner: Outcome<Value>.Owner = executor == nil ? .task : .executorTask
        let launch = Mutex<(task: Task<Void, Never>?, hasBegun: Bool)>((nil, executor == nil))
        // This function is called after the task has been created. If there is an executor, the function is also called when the work
        // begins, and only the second of the two calls starts the deadline. Without an executor, the only call starts the deadline.
        let startDeadline: @Sendable (_ task: Task<Void, Never>?) -> Void = { [schedule] task in
            let running = launch.withLock { launch in
                if let task { launch.task = task } else { launch.hasBegun = true }
                return launch.hasBegun ? launch.task.take() : nil
            }
            guard let running else { return }
            let cancel = schedule {
                guard outcome.take(owner), outcome.claim() else { return }
                running.cancel()
                let result = Result<Value, any Error>.failure(late(running))
                ended(result)
                outcome.settle(result)
            }
            outcome.whenSettled { _ in cancel() }
        }
        let run: @Sendable () async -> Void = {
            guard outcome.take(owner) else { return }
            if executor != nil { startDeadline(nil) }
            let result = await Result(catching: work)
            guard outcome.claim() else { return }
            ended(result)
            outcome.settle(result)
        }
        let task = isDetached ? Task.detached(executorPreference: executor, operation: run) : Task(operation: run)
        startDeadline(task)
    }
}

extension Result where Failure == any Error {
    /// Creates a result from an asynchronous closure. The standard library has `init(catching:)` only for synchronous closures.
    package init(isolation: isolated (any Actor)? = #isolation, catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The result of work that has a deadline. Both the end of the work and the deadline try to claim the outcome. Only the first claim sets
/// the result.
final class Outcome<Value: Sendable>: Sendable {
    typealias Waiting = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var waiting: [Waiting] = []
        /// The functions to call after all functions in `waiting`. They are called last, because they may take a long time.
        var following: [Waiting] = []
        var result: Result<Value, any Error>?
    }

    /// The kind of task that runs the work.
    fileprivate enum Owner: UInt8, AtomicRepresentable {
        case none
        case task
        /// A task that prefers an executor.
        case executorTask
    }

    private let owner = Atomic(Owner.none)
    private let isClaimed = Atomic(false)
    private let state = Mutex(State())

    /// A Boolean value that indicates whether the work has begun.
    var hasBegun: Bool { owner.load(ordering: .acquiring) != Owner.none }

    /// Assigns the work to a kind of task, unless the work is already assigned.
    ///
    /// - Returns: `false` if the work is assigned to the other kind of task.
    fileprivate func take(_ task: Owner) -> Bool {
        let (isTaken, earlier) = owner.compareExchange(expected: Owner.none, desired: task, ordering: .acquiringAndReleasing)
        return isTaken || earlier == task
    }

    /// Claims the outcome.
    ///
    /// - Returns: `false` if the outcome was already claimed.
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

    /// Calls a function with the result. If the outcome is not settled yet, the call is made when the outcome is settled.
    ///
    /// - Parameter isFollowing: A Boolean value that indicates whether the function is called after all functions that were added without
    ///   this flag.
    func whenSettled(isFollowing: Bool = false, _ call: @escaping Waiting) {
        let result = state.withLock { state in
            if state.result == nil { if isFollowing { state.following.append(call) } else { state.waiting.append(call) } }
            return state.result
        }
        if let result { call(result) }
    }

    /// The result of the work. Reading it waits until the outcome is settled.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in whenSettled { continuation.resume(with: $0) } }
        }
    }
}

/// The stragglers, which are tasks that continue past their deadlines. No more work for a screen begins while the screen has ``limit``
/// stragglers or more. No computation of a view begins while another computation of the view is a straggler.
final class Stragglers: Sendable {
    /// The number of stragglers of a screen at which no more work for the screen begins.
    static let limit = 16

    private struct State {
        /// The number of stragglers of each screen.
        var counts: [String: Int] = [:]
        /// The views whose computations are stragglers.
        var views: Set<ScreenView> = []
        var observers: [@Sendable (ScreenView) -> Void] = []
    }

    private let state = Mutex(State())

    /// The number of stragglers.
    var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

    /// Checks whether work for a screen may begin.
    ///
    /// A view is rejected if its earlier computation is a straggler, because another computation could also hang.
    ///
    /// - Parameter view: The view to compute, or `nil` for other work.
    /// - Throws: ``DeadlineFault/viewIsStraggler``, ``DeadlineFault/tooManyStragglers``
    func admit(_ screen: String, computing view: ScreenView? = nil) throws(DeadlineFault) {
        let (viewIsStraggler, count) = state.withLock { state in
            (view.map { state.views.contains($0) } ?? false, state.counts[screen] ?? 0)
        }
        if viewIsStraggler { throw .viewIsStraggler }
        if count >= Self.limit { throw .tooManyStragglers }
    }

    /// Adds a function to call whenever a computation that is a straggler ends. The function receives the view.
    func observeEnds(_ observer: @escaping @Sendable (ScreenView) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Counts a task as a straggler until the task ends.
    ///
    /// - Parameter view: The view that the task computes, or `nil` for other work.
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

/// The error of work that did not end before its deadline, or that was rejected because too much other work was in progress.
public enum DeadlineFault: Error, Hashable {
    /// The screen was not computed before the deadline.
    case notComputed
    /// The action was not performed before its deadline, and will not be performed later.
    case notPerformed
    /// The action did not end before its deadline. It may have been performed, or may still be performed.
    case outcomeUnknown(hasKey: Bool)
    /// The maximum number of concurrent computations of the screen is reached.
    case tooManyAtOnce
    /// The maximum number of stragglers of the screen is reached.
    case tooManyStragglers
    /// An earlier computation of the view is past its deadline and has not ended yet.
    case viewIsStraggler
}
