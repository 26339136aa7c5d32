import ScreenWire

/// The name of data that screens read, for example one contract or all posts.
///
/// A store records a topic with every read, and announces it with every commit that changes the data.
public struct Topic: Hashable, Sendable {
    /// A unique name. By convention it is a path, such as `contract/240189-000`.
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    // Names contain the ids of users and records, and ids with different bytes are different. So names are compared by their bytes.

    public static func == (a: Topic, b: Topic) -> Bool {
        ExactText(a.name) == ExactText(b.name)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
    }
}

/// The topics whose data changed or may have changed.
package enum Announcement: Hashable, Sendable {
    case topics(Set<Topic>)
    /// All topics. Data that could not be read before may be available now.
    case everything
    /// All topics, because this replica does not receive the commits of other replicas. Data that could not be read before is probably
    /// still unavailable.
    case missed

    package func touches(_ topic: Topic) -> Bool {
        if case .topics(let topics) = self { topics.contains(topic) } else { true }
    }

    func touches(anyOf reads: Set<Topic>) -> Bool {
        if case .topics(let topics) = self { !topics.isDisjoint(with: reads) } else { true }
    }

    /// The topics of the case `topics`. For the other cases, which announce all topics, the set is empty.
    package var topics: Set<Topic> {
        if case .topics(let topics) = self { topics } else { [] }
    }
}
