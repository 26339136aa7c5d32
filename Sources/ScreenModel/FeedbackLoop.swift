import Foundation

/// A state machine. Its states start effects, and the effects send events back, as in ReactiveFeedback.
///
/// The function `reduce` changes the state for one event at a time. An event that is sent while `reduce` runs is handled afterwards. When
/// the owner releases the loop, the effects are cancelled, and no more states are reported.
public final class FeedbackLoop<State: Sendable, Event: Sendable>: Sendable {
    private let core: Core
    public typealias Send = @Sendable (Event) -> Void

    /// Creates a loop and starts the effects of the initial state. `reduce` must be pure, and must not read ``state``.
    public init(initial: State, reduce: @escaping @Sendable (inout State, Event) -> Void, feedbacks: [Feedback] = []) {
        core = Core(initial, reduce, feedbacks.map { $0.makeRule() })
    }
    deinit { core.end() }
    public var state: State { core.read().value }
    /// The state of the loop as a property that can be observed.
    public var states: LoopProperty<State> { LoopProperty(read: core.read, changes: core.changes) { _, _ in false } }

    /// Returns a part of the state as a property. If consecutive parts are equal, only the first one is reported.
    public func map<Part: Equatable & Sendable>(_ part: @escaping @Sendable (State) -> Part) -> LoopProperty<Part> { states.map(part) }

    /// Changes the state for an event. Waits while other threads change the state. When this function returns, ``state`` includes the
    /// event.
    public func send(_ event: Event) { core.send(event) }

    /// A rule that starts effects. An effect is a task that belongs to no actor and can send any number of events.
    ///
    /// An effect is cancelled when the rule starts its next effect, or when a new state requires no effect. Events from a cancelled effect
    /// are discarded.
    public struct Feedback: Sendable {
        /// The result of a rule for a state: the new effect, `.some(nil)` to end the current effect, or `nil` to continue it.
        fileprivate typealias Effect = (@Sendable (@escaping Send) async -> Void)??
        fileprivate let makeRule: @Sendable () -> (State) -> Effect

        /// Creates a rule that starts an effect for each state that satisfies a predicate.
        public init(predicate: @escaping @Sendable (State) -> Bool, effect: @escaping @Sendable (State, @escaping Send) async -> Void) {
            makeRule = { { state in predicate(state) ? .some { await effect(state, $0) } : .some(nil) } }
        }

        /// Creates a rule that starts an effect when a value that is computed from the state changes. While the value is `nil`, no effect
        /// runs.
        public init<Value: Equatable & Sendable>(
            skippingRepeated value: @escaping @Sendable (State) -> Value?, effect: @escaping @Sendable (Value, @escaping Send) async -> Void
        ) {
            makeRule = {
                var previous: Value?
                return { state in
                    let next = value(state)
                    defer { previous = next }
                    guard let next, next != previous else { return next == previous ? nil : .some(nil) }
                    return .some { await effect(next, $0) }
                }
            }
        }
    }

    /// The state and the effects of a loop. `lock` protects all variables. Tasks are cancelled without the lock, because a cancellation can
    /// run code of other modules.
    private final class Core: @unchecked Sendable {
        private let lock = NSRecursiveLock()
        private let reduce: @Sendable (inout State, Event) -> Void
        private let rules: [(State) -> Feedback.Effect]
        private var state: State
        private var stateCount = 1
        private var effects: [(number: Int, task: Task<Void, Never>?)]
        /// The event that is being handled, followed by the events that wait.
        private var queue: [(event: Event, effect: (rule: Int, number: Int)?)] = []
        private var observers: [Int: AsyncStream<Void>.Continuation] = [:]
        private var isEnded = false
        init(_ state: State, _ reduce: @escaping @Sendable (inout State, Event) -> Void, _ rules: [(State) -> Feedback.Effect]) {
            (self.state, self.reduce, self.rules, effects) = (state, reduce, rules, rules.map { _ in (0, nil) })
            _ = lock.withLock(startEffects)
        }
        @Sendable func read() -> (value: State, number: Int, isEnded: Bool) { lock.withLock { (state, stateCount, isEnded) } }

        func send(_ event: Event, from effect: (rule: Int, number: Int)? = nil) {
            var outdated: [Task<Void, Never>] = []
            var woken: [AsyncStream<Void>.Continuation] = []
            lock.withLock {
                queue.append((event, effect))
                guard queue.count == 1 else { return }
                while let (event, effect) = queue.first {
                    if !isEnded, effect.map({ effects[$0.rule].number == $0.number }) ?? true {
                        reduce(&state, event)
                        stateCount += 1
                        outdated += startEffects()
                        woken = Array(observers.values)
                    }
                    queue.removeFirst()
                }
            }
            // Observers are woken without `lock`, to prevent a deadlock. Waking a task needs the task's own lock. A thread that cancels
            // this task holds the task's lock while it ends the observation, which needs `lock`.
            for observer in woken { observer.yield() }
            for task in outdated { task.cancel() }
        }

        /// Starts the effects of the current state. Returns the tasks to cancel.
        private func startEffects() -> [Task<Void, Never>] {
            rules.indices.compactMap { rule in
                guard let effect = rules[rule](state), !isEnded else { return nil }
                let (number, outdated) = (effects[rule].number + 1, effects[rule].task)
                let send: Send = { [weak self] in self?.send($0, from: (rule, number)) }
                effects[rule] = (number, effect.map { effect in Task.detached { await effect(send) } })
                return outdated
            }
        }

        func end() {
            lock.withLock { isEnded = true }  // No effect is started after the end.
            for effect in effects { effect.task?.cancel() }
            for observer in lock.withLock({ Array(observers.values) }) { observer.finish() }
        }

        /// Returns a sequence that yields an element immediately and after each change. Several changes in quick succession can yield only
        /// one element.
        @Sendable func changes() -> AsyncStream<Void> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                lock.withLock {
                    let number = (observers.keys.max() ?? 0) + 1
                    observers[number] = continuation
                    continuation.onTermination = { [weak self] _ in self?.lock.withLock { self?.observers[number] = nil } }
                    if isEnded { continuation.finish() } else { continuation.yield() }
                }
            }
        }
    }
}
