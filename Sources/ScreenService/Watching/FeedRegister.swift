/// Finds the feeds that a change of topics makes stale.
struct FeedRegister {
    private struct Entry {
        let feed: ViewFeed
        let topics: Set<Topic>
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [Topic: Set<ObjectIdentifier>] = [:]

    var count: Int { entries.count }
    var topicCount: Int { readers.count }

    /// Adds a feed, or changes what it reads.
    mutating func add(_ feed: ViewFeed, reading topics: Set<Topic>) {
        remove(feed)
        let id = ObjectIdentifier(feed)
        entries[id] = Entry(feed: feed, topics: topics)
        for topic in topics { readers[topic, default: []].insert(id) }
    }

    mutating func remove(_ feed: ViewFeed) {
        let id = ObjectIdentifier(feed)
        for topic in entries.removeValue(forKey: id)?.topics ?? [] {
            readers[topic]?.remove(id)
            if readers[topic]?.isEmpty == true { readers[topic] = nil }
        }
    }

    /// Removes the feeds that read any of these topics: each has to say anew what it reads.
    mutating func takeAll(reading topics: Set<Topic>) -> [ViewFeed] {
        let ids = topics.reduce(into: Set()) { $0.formUnion(readers[$1] ?? []) }
        let feeds = ids.compactMap { entries[$0]?.feed }
        for feed in feeds { remove(feed) }
        return feeds
    }
}
