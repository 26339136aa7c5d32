/// Tells those who keep computed views that data has changed.
public protocol TopicAnnouncing: Sendable {
    /// Says that a commit touched `topics`. Called after the commit is durable and before the
    /// write that made it returns, so that whoever wrote reads their own write.
    func announce(_ topics: Set<Topic>)
}
