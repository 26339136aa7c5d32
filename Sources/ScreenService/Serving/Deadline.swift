import Synchronization

/// A bound on how long who asked waits for work, which may hang.
public struct Deadline: Sendable {
    /// Has `pass` called when what begins at the call has had its time, and returns what cancels that.
    public typealias Schedule = @Sendable (_ pass: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private let schedule: Schedule

    public init(_ schedule: @escaping Schedule) {
        self.schedule = schedule
    }

    /// One for all work that may take so long: each has a timer of its own.
    public static func after(_ duration: Duration) -> Deadline {
        let timers = Timers()
        return Deadline { timers.schedule(after: duration, $0) }
    }

    /// Runs `work` in a task of its own, and returns its value.
    ///
    /// When the deadline passes first, the task is cancelled and left behind: work that does not end
    /// by that goes on alone. Cancelling who waits here does nothing.
    ///
    /// - Parameter late: gives the error to throw for work that is left behind.
    package func value<Value: Sendable>(
        of work: @escaping @Sendable () async throws -> Value,
        late: @escaping @Sendable (_ leftBehind: Task<Void, Never>) -> any Error
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        start(work, settling: outcome, late: late)
        return try await outcome.value
    }

    /// Runs `work` in the same way, for any number who wait for its outcome.
    ///
    /// Work that waits for an executor can be started a second time, without an executor and with the same outcome. It runs once, in
    /// the task that begins first.
    ///
    /// - Parameters:
    ///   - isDetached: whether the work is nobody's in particular, and sees nothing of the task that had it begun.
    ///   - executor: the executor that detached work prefers; nil for none in particular. The deadline starts when the work begins
    ///     there. Without an executor it starts at the call.
    ///   - ended: called once, before any of them is told.
    func start<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, isDetached: Bool = false, on executor: (any TaskExecutor)? = nil,
        settling outcome: Outcome<Value>,
        ended: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in },
        late: @escaping @Sendable (_ leftBehind: Task<Void, Never>) -> any Error
    ) {
        let owner: Outcome<Value>.Owner = executor == nil ? .task : .executorTask
        let launch = Mutex<(task: Task<Void, Never>?, hasBegun: Bool)>((nil, executor == nil))
        // Called when the task exists and when the work begins on its executor. The later of the two calls starts the deadline.
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
    /// The same as for what does not take time.
    package init(isolation: isolated (any Actor)? = #isolation, catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// What comes of work: whoever claims it first settles it, once.
final class Outcome<Value: Sendable>: Sendable {
    typealias Waiting = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var waiting: [Waiting] = []
        /// Called after those who wait, as they may do much with it.
        var following: [Waiting] = []
        var result: Result<Value, any Error>?
    }

    /// The task that runs the work.
    fileprivate enum Owner: UInt8, AtomicRepresentable {
        case nobody
        case task
        /// The task that prefers an executor.
        case executorTask
    }

    private let owner = Atomic(Owner.nobody)
    private let isClaimed = Atomic(false)
    private let state = Mutex(State())

    /// A Boolean value that indicates whether the work has begun.
    var hasBegun: Bool { owner.load(ordering: .acquiring) != .nobody }

    /// Makes a task the one that runs the work.
    ///
    /// - Returns: false if another task runs it.
    fileprivate func take(_ task: Owner) -> Bool {
        let (isTaken, earlier) = owner.compareExchange(expected: .nobody, desired: task, ordering: .acquiringAndReleasing)
        return isTaken || earlier == task
    }

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

    /// Calls at once where it is settled already.
    ///
    /// - Parameter isFollowing: whether all those who wait are called first.
    func whenSettled(isFollowing: Bool = false, _ call: @escaping Waiting) {
        let result = state.withLock { state in
            if state.result == nil { if isFollowing { state.following.append(call) } else { state.waiting.append(call) } }
            return state.result
        }
        if let result { call(result) }
    }

    /// For one of those who wait.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in whenSettled { continuation.resume(with: $0) } }
        }
    }
}

/// The work that continues past its deadline: a limited number per screen, and one computation per view.
final class Stragglers: Sendable {
    /// How much work for one screen may be left behind before no more of it is begun.
    static let limit = 16

    private struct State {
        /// The numbers of stragglers, by screen.
        var counts: [String: Int] = [:]
        /// The views whose computation goes on.
        var views: Set<ScreenView> = []
        var observers: [@Sendable (ScreenView) -> Void] = []
    }

    private let state = Mutex(State())

    /// How much work was left behind and has not ended.
    var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

    /// Admits work for a screen. It rejects a view whose earlier computation is a straggler, because each further one may hang too.
    ///
    /// - Parameter view: the view to compute; nil for other work.
    /// - Throws: ``DeadlineFault/viewHangs``, ``DeadlineFault/tooMuchHangs``
    func admit(_ screen: String, computing view: ScreenView? = nil) throws(DeadlineFault) {
        let (viewHangs, count) = state.withLock { state in
            (view.map { state.views.contains($0) } ?? false, state.counts[screen] ?? 0)
        }
        if viewHangs { throw .viewHangs }
        if count >= Self.limit { throw .tooMuchHangs }
    }

    /// Calls a function whenever a straggler that computed a view has ended.
    func observeEnds(_ observer: @escaping @Sendable (ScreenView) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Counts a task until it ends.
    ///
    /// - Parameter view: the view that it computes; nil for other work.
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

/// Work for a client that took longer than it may.
public enum DeadlineFault: Error, Hashable {
    /// The screen was not computed in time.
    case notComputed
    /// The action was not performed in time, and will not be: nothing was done.
    case notPerformed
    /// The action did not end in time. It may have been performed, or may be yet.
    case outcomeUnknown(hasKey: Bool)
    /// So many views of this screen are being computed that no more is begun.
    case tooManyAtOnce
    /// So much work for this screen hangs that no more is begun.
    case tooMuchHangs
    /// An earlier computation of this view has not ended yet, though its deadline has passed.
    case viewHangs
}
