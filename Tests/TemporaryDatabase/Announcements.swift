public import ScreenService
import Synchronization

/// What was announced, commit by commit.
public final class Announcements: TopicAnnouncing {
    private let announced = Mutex<[Set<Topic>]>([])

    public init() {}

    public func announce(_ topics: Set<Topic>) {
        announced.withLock { $0.append(topics) }
    }

    /// The names of the topics that each commit announced.
    public var commits: [Set<String>] {
        announced.withLock { $0.map { Set($0.map(\.name)) } }
    }
}
