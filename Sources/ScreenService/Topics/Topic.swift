/// Names data that a screen read, such as one contract or the posts.
///
/// Stores record a topic with every read and announce it with every commit that touched it; the
/// view cache keeps a snapshot until a topic that it read is announced.
public struct Topic: Hashable, Sendable {
    /// What tells it from other topics, a path by convention: `contract/240189-000`.
    public let name: String

    public init(_ name: String) {
        self.name = name
    }
}
