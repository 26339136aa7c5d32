import ScreenWire

/// A name for data that a screen reads, such as one contract or the posts.
///
/// Stores record a topic with every read and announce it with every commit that touched it (``Topics``).
public struct Topic: Hashable, Sendable {
    /// What tells it from other topics, a path by convention: `contract/240189-000`.
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    // By bytes, since names have ids of users and of records in them.

    public static func == (a: Topic, b: Topic) -> Bool {
        ExactText(a.name) == ExactText(b.name)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
    }
}
