import ScreenService
import Synchronization

/// Remembers what was announced, commit by commit.
final class Announcements: TopicAnnouncing {
    private let announced = Mutex<[Set<Topic>]>([])

    func announce(_ topics: Set<Topic>) {
        announced.withLock { $0.append(topics) }
    }

    /// The names of the topics that each commit announced.
    var commits: [Set<String>] {
        announced.withLock { $0.map { Set($0.map(\.name)) } }
    }
}
