import Synchronization

/// Collects the topics that one computation of a screen reads.
///
/// The service binds a recorder to the task in which a screen computes; stores record into it, so
/// that no screen lists its dependencies by hand. A store that leaves the task (for a queue of its
/// own, say) takes ``current`` along.
public final class ReadRecorder: Sendable {
    /// The recorder of the computation that this task is part of; nil outside of any.
    @TaskLocal public static var current: ReadRecorder?

    private let recorded = Mutex<Set<Topic>>([])

    public init() {}

    /// Says that the computation read data of `topic`.
    public func record(_ topic: Topic) {
        _ = recorded.withLock { $0.insert(topic) }
    }

    /// The topics recorded so far.
    public var topics: Set<Topic> {
        recorded.withLock { $0 }
    }
}
