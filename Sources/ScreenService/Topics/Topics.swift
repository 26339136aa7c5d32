import Synchronization

/// The object through which all stores of a service announce changed data.
///
/// Stores record the topics that they read and announce the topics that a commit has changed. A computed result is current as long
/// as none of the topics that it read has been announced since the computation began.
public final class Topics: Sendable {
    typealias Generation = TopicGenerations.Generation
    /// A function that is called for each announcement, in the order of registration. During the call, no other announcement is made, and
    /// ``ifUnchanged(_:since:_:)`` waits. The function can return a second function, which is called on the same thread when other
    /// announcements are possible.
    package typealias Observer = @Sendable (Announcement) -> (@Sendable () -> Void)?

    private struct State {
        var generations = TopicGenerations()
        var observers: [(id: Int, call: Observer)] = []
        var lastID = 0
    }

    private let state = Mutex(State())
    /// The record of the received commits of all replicas, or `nil` if there is only one process.
    package let received: ReceivedCommits?

    /// Creates topics. A service and the stores of its screens must share one object, so the initializer is not public.
    package init(received: ReceivedCommits? = nil) {
        self.received = received
    }

    /// Announces the topics of a commit. Call this function after the commit is durable and before the write returns, so that the writing
    /// code reads no outdated data afterwards.
    public func announce(_ topics: Set<Topic>) {
        announce(.topics(topics))
    }

    /// Announces all topics, because this replica may have missed commits of other replicas.
    package func announceEverything() {
        announce(.everything)
    }

    /// Announces all topics, because this replica does not receive the commits of other replicas.
    package func announceMissed() {
        announce(.missed)
    }

    private func announce(_ announcement: Announcement) {
        let laterCalls = state.withLock { state in
            state.generations.advance(announcement)
            return state.observers.compactMap { $0.call(announcement) }
        }
        for call in laterCalls { call() }
    }

    /// The recorder of the computation that the current task belongs to, or `nil` outside of a computation. A store that continues its work
    /// on another queue must pass the recorder to this work.
    ///
    /// If this ``Topics`` object is not the object of the service, a computation that reads this property fails with ``TopicsMismatch``.
    public var recorder: ReadRecorder? {
        let recorder = ReadRecorder.current
        if let recorder, recorder.topics !== self { recorder.recordOtherTopics() }
        return recorder
    }

    /// Runs `body` as a computation, and returns its value with the topics that it read.
    public func recordingReads<Value>(_ body: () async throws -> Value) async throws -> (value: Value, reads: Set<Topic>) {
        let recorder = ReadRecorder(of: self)
        return (try await recordingReads(by: recorder, body), recorder.recorded)
    }

    /// Runs `body` as a computation. After a failure, `recorder` contains the topics that were read before the failure.
    func recordingReads<Value>(by recorder: ReadRecorder, _ body: () async throws -> Value) async throws -> Value {
        let value = try await ReadRecorder.$current.withValue(recorder) { try await body() }
        try recorder.finish()
        return value
    }
}

extension Topics {
    var generation: Generation {
        state.withLock { $0.generations.now }
    }

    /// A Boolean value that indicates whether cached results may be used. With replicas, this replica must be receiving all commits.
    var isTrusted: Bool { received?.isTrusted ?? true }

    /// Begins a computation, which must be ended with ``endComputation(begunIn:)``.
    func beginComputation() -> Generation {
        state.withLock { $0.generations.begin() }
    }

    func endComputation(begunIn generation: Generation) {
        state.withLock { $0.generations.end(generation) }
    }

    /// Runs `body` if none of the topics in `reads` has been announced since a generation. Nothing is announced while `body` runs.
    ///
    /// - Parameter generation: The generation of a running computation, or of a result that was current when a running computation began.
    func ifUnchanged<Value>(_ reads: Set<Topic>, since generation: Generation, _ body: () -> Value) -> Value? {
        state.withLock { $0.generations.hasAdvanced(anyOf: reads, since: generation) ? nil : body() }
    }

    /// Adds an observer, and returns its identifier.
    package func observe(_ observer: @escaping Observer) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.observers.append((state.lastID, observer))
            return state.lastID
        }
    }

    package func endObserving(_ id: Int) {
        // The observer is released outside of the lock, because its deallocation may run other code.
        let ended = state.withLock { state in
            state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
        }
        withExtendedLifetime(ended) {}
    }
}

/// Records the topics that a computation reads, so that screens need not list their dependencies.
public final class ReadRecorder: Sendable {
    @TaskLocal static var current: ReadRecorder?

    let topics: Topics
    private let reads = Mutex<(topics: Set<Topic>, expiry: Int64?, isTimed: Bool)>(([], nil, false))
    private let hasOtherTopics = Atomic(false)

    init(of topics: Topics) {
        self.topics = topics
    }

    /// Records that the computation read data of `topic`.
    public func record(_ topic: Topic) {
        _ = reads.withLock { $0.topics.insert(topic) }
    }

    /// Records that the content of the computation depends on the time.
    ///
    /// - Parameter expiry: The time at which the content changes, in seconds since 1970, or `nil` if it does not change any more.
    func recordTime(expiry: Int64?) {
        reads.withLock { reads in
            reads.isTimed = true
            if let expiry { reads.expiry = min(reads.expiry ?? expiry, expiry) }
        }
    }

    /// A Boolean value that indicates whether the computation depends on a topic or on the time.
    var isTracking: Bool { reads.withLock { $0.isTimed || !$0.topics.isEmpty } }

    var recorded: Set<Topic> { reads.withLock { $0.topics } }

    /// The earliest recorded time at which the content changes, or `nil` if the content does not depend on the time. The value is
    /// `Int64.max` if the content changes only if the clock is set back.
    var recordedExpiry: Int64? { reads.withLock { $0.isTimed ? $0.expiry ?? .max : nil } }

    fileprivate func recordOtherTopics() {
        hasOtherTopics.store(true, ordering: .relaxed)
    }

    fileprivate func finish() throws(TopicsMismatch) {
        if hasOtherTopics.load(ordering: .relaxed) { throw TopicsMismatch() }
    }
}

/// An error that is thrown if the ``Topics`` of a store are not the topics of the service. The service would not notice changes in such a
/// store, so it shows no screen that reads from the store and performs no action that writes to it.
public struct TopicsMismatch: Error, Hashable, CustomStringConvertible {
    public var description: String {
        "A screen uses a store with other topics than the service's store. Create it with the topics of the service's store."
    }
}
