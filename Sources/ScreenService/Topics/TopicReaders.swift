/// The readers of topics, to be found by topic.
struct TopicReaders<Reader: Hashable> {
    /// Readers that have read no topic are under nil.
    private var readers: [Topic?: Set<Reader>] = [:]

    var isEmpty: Bool { readers.isEmpty }

    mutating func insert(_ reader: Reader, reading topics: Set<Topic>) {
        for topic in topics { readers[topic, default: []].insert(reader) }
        if topics.isEmpty { readers[nil, default: []].insert(reader) }
    }

    /// - Parameter topics: those that it was inserted with.
    mutating func remove(_ reader: Reader, reading topics: Set<Topic>) {
        for topic in topics { remove(reader, from: topic) }
        if topics.isEmpty { remove(reader, from: nil) }
    }

    /// Removes the announced topics, and returns them with their readers. The readers stay under their other topics.
    ///
    /// The time for this depends on the number of announced topics alone.
    mutating func removeTopics(of announcement: Announcement) -> [Topic?: Set<Reader>] {
        guard case .topics(let topics) = announcement else {
            defer { readers = [:] }
            return readers
        }
        var removed: [Topic?: Set<Reader>] = [:]
        for topic in topics { removed[topic] = readers.removeValue(forKey: topic) }
        return removed
    }

    private mutating func remove(_ reader: Reader, from topic: Topic?) {
        readers[topic]?.remove(reader)
        if readers[topic]?.isEmpty == true { readers[topic] = nil }
    }
}
