/// A table of the readers of each topic.
struct TopicReaders<Reader: Hashable> {
    /// The readers of each topic. Readers without topics are stored under the key `nil`.
    private var readers: [Topic?: Set<Reader>] = [:]

    var isEmpty: Bool { readers.isEmpty }

    mutating func insert(_ reader: Reader, reading topics: Set<Topic>) {
        for topic in topics { readers[topic, default: []].insert(reader) }
        if topics.isEmpty { readers[nil, default: []].insert(reader) }
    }

    /// Removes a reader from the readers of the given topics. If the reader was inserted without topics, pass an empty collection.
    mutating func remove(_ reader: Reader, reading topics: some Collection<Topic>) {
        for topic in topics { remove(reader, from: topic) }
        if topics.isEmpty { remove(reader, from: nil) }
    }

    /// Removes the announced topics, and returns them with their readers. The running time depends only on the number of announced topics.
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
