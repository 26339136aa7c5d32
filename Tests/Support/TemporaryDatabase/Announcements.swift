public import ScreenService
import Synchronization

/// What was announced to some topics, commit by commit.
public final class Announcements: Sendable {
    /// Some of its own, for what has no store.
    public let topics = Topics()
    private let announced = Mutex<[Set<Topic>]>([])

    public init() {
        observe(topics)
    }

    public func observe(_ topics: Topics) {
        _ = topics.observe { [weak self] announcement in
            self?.announced.withLock { $0.append(announcement.topics) }
            return nil
        }
    }

    public var all: [Set<Topic>] { announced.withLock { $0 } }

    /// The names of the topics that each commit announced.
    public var commits: [Set<String>] { all.map { Set($0.map(\.name)) } }
}
