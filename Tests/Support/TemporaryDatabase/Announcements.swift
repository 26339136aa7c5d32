public import ScreenService
import Synchronization

/// A record of the topics that each commit announces.
public final class Announcements: Sendable {
    /// Topics for tests without a store.
    public let topics = Topics()
    private let announced = Mutex<[Set<Topic>]>([])

    public init() {
        observe(topics)
    }

    /// Starts recording the announcements of `topics`.
    public func observe(_ topics: Topics) {
        _ = topics.observe { [weak self] announcement in
            self?.announced.withLock { $0.append(announcement.topics) }
            return nil
        }
    }

    /// The topics that each commit announced.
    public var all: [Set<Topic>] { announced.withLock { $0 } }

    /// The names of the topics that each commit announced.
    public var commits: [Set<String>] { all.map { Set($0.map(\.name)) } }
}
