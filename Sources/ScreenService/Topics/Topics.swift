import Synchronization

/// The one place where changes of data are announced, for all stores of a service.
///
/// Stores record what is read and announce what a commit touched. What was computed stands for as long as nothing
/// that it read has been announced since the computation began: whoever keeps it asks, and observes.
public final class Topics: Sendable {
    typealias Generation = TopicGenerations.Generation
    /// Called for each announcement, in the order of registration, while nothing else can be announced or found
    /// unchanged. It gives back what is to be done after that, by the same thread: what others need not wait for.
    package typealias Observer = @Sendable (Announcement) -> (@Sendable () -> Void)?

    private struct State {
        var generations = TopicGenerations()
        var observers: [(id: Int, observe: Observer)] = []
        var lastID = 0
    }

    private let state = Mutex(State())
    /// What was heard of the commits of all replicas; nil where there is but one process.
    package let heard: HeardCommits?

    /// Not public: whoever has some has those of a service store, so that a service and its screens' stores share them.
    package init(heard: HeardCommits? = nil) {
        self.heard = heard
    }

    /// Says that a commit touched `topics`. To be called after the commit is durable and before the write that
    /// made it returns, so that whoever wrote reads their own write.
    public func announce(_ topics: Set<Topic>) {
        announce(.topics(topics))
    }

    /// Says that commits may have touched anything: what was announced of them was not heard.
    package func announceEverything() {
        announce(.everything)
    }

    /// Says that commits may have touched anything, while none are heard.
    package func announceUnheard() {
        announce(.unheard)
    }

    private func announce(_ announcement: Announcement) {
        let calls = state.withLock { state in
            state.generations.advance(announcement)
            return state.observers.compactMap { $0.observe(announcement) }
        }
        for call in calls { call() }
    }

    /// What records the reads of the computation that this task is part of; nil outside of any. A store that leaves
    /// the task, for a queue of its own, takes it along. A computation that asks other topics than those of its
    /// service fails with ``OtherTopics``.
    public var recorder: ReadRecorder? {
        let recorder = ReadRecorder.current
        if let recorder, recorder.topics !== self { recorder.noteOtherTopics() }
        return recorder
    }

    /// Runs `body` as a computation, and gives the topics of what it read.
    public func recordingReads<Value>(_ body: () async throws -> Value) async throws -> (value: Value, reads: Set<Topic>) {
        let recorder = ReadRecorder(of: self)
        return (try await recordingReads(by: recorder, body), recorder.recorded)
    }

    /// Runs `body` as a computation. If it fails, `recorder` still contains the topics that it has read.
    func recordingReads<Value>(by recorder: ReadRecorder, _ body: () async throws -> Value) async throws -> Value {
        let value = try await ReadRecorder.$current.withValue(recorder) { try await body() }
        try recorder.finish()
        return value
    }
}

// For whoever keeps what was computed.
extension Topics {
    /// The present generation.
    var generation: Generation {
        state.withLock { $0.generations.now }
    }

    /// Whether what was computed can be given without asking the data anew, as far as nothing of it was announced.
    var isTrusted: Bool { heard?.isTrusted ?? true }

    /// Notes the generation that a computation begins in. Each must be ended.
    func beginComputation() -> Generation {
        state.withLock { $0.generations.begin() }
    }

    /// Ends a computation: it asks no more what was announced since it began.
    func endComputation(begunIn generation: Generation) {
        state.withLock { $0.generations.end(generation) }
    }

    /// Runs `body` if none of `reads` was announced after a generation, while nothing can be announced; nil otherwise.
    ///
    /// - Parameter generation: of a computation that has not ended, or whose result was current when another began that
    ///   has not.
    func ifUnchanged<Value>(_ reads: Set<Topic>, since generation: Generation, _ body: () -> Value) -> Value? {
        state.withLock { $0.generations.hasAdvanced(anyOf: reads, since: generation) ? nil : body() }
    }

    /// - Returns: what ends it.
    package func observe(_ observer: @escaping Observer) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.observers.append((state.lastID, observer))
            return state.lastID
        }
    }

    package func endObserving(_ id: Int) {
        let ended = state.withLock { state in
            state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
        }
        withExtendedLifetime(ended) {}
    }
}

/// What is stale by now.
package enum Announcement: Hashable, Sendable {
    case topics(Set<Topic>)
    /// Anything may have changed, and what could not be read may be in reach again.
    case everything
    /// Anything may have changed, as no commits are heard; it says nothing of what is in reach.
    case unheard

    /// Whether what was read of a topic is stale.
    package func touches(_ topic: Topic) -> Bool {
        if case .topics(let topics) = self { topics.contains(topic) } else { true }
    }

    /// Returns a Boolean value that indicates whether data of some topics may be stale.
    func touches(anyOf reads: Set<Topic>) -> Bool {
        if case .topics(let topics) = self { !topics.isDisjoint(with: reads) } else { true }
    }

    /// Those that it names.
    package var topics: Set<Topic> {
        if case .topics(let topics) = self { topics } else { [] }
    }
}

/// The topics that one computation of a screen reads, so that no screen lists its dependencies by hand.
public final class ReadRecorder: Sendable {
    @TaskLocal static var current: ReadRecorder?

    let topics: Topics
    private let reads = Mutex<Set<Topic>>([])
    private let hasOtherTopics = Atomic(false)

    init(of topics: Topics) {
        self.topics = topics
    }

    /// Notes that the computation read data of `topic`.
    public func record(_ topic: Topic) {
        _ = reads.withLock { $0.insert(topic) }
    }

    /// The topics recorded so far.
    var recorded: Set<Topic> { reads.withLock { $0 } }

    fileprivate func noteOtherTopics() {
        hasOtherTopics.store(true, ordering: .relaxed)
    }

    fileprivate func finish() throws(OtherTopics) {
        if hasOtherTopics.load(ordering: .relaxed) { throw OtherTopics() }
    }
}

/// A mistake in how a server is composed: a screen reads from, or an action writes to, a store that announces its changes
/// to other ``Topics`` than those of its service, so nobody would be told of them. Nothing of it is shown or written.
public struct OtherTopics: Error, Hashable, CustomStringConvertible {
    public var description: String {
        "A screen uses a store that announces to other topics than those of the service's store: give it those."
    }
}
