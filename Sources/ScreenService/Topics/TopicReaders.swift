/// Who has read which topics, to be found by topic.
struct TopicReaders<Reader: Hashable> {
    private var reads: [Reader: Set<Topic>] = [:]
    private var readers: [Topic: Set<Reader>] = [:]

    var count: Int { reads.count }
    var topicCount: Int { readers.count }

    /// Adds a reader, or changes what it has read.
    mutating func insert(_ reader: Reader, reading topics: Set<Topic>) {
        let earlier = reads.updateValue(topics, forKey: reader) ?? []
        for topic in earlier where !topics.contains(topic) { remove(reader, from: topic) }
        for topic in topics { readers[topic, default: []].insert(reader) }
    }

    mutating func remove(_ reader: Reader) {
        for topic in reads.removeValue(forKey: reader) ?? [] { remove(reader, from: topic) }
    }

    /// Removes and returns all that have read something of what was announced.
    mutating func removeAll(reading announcement: Announcement) -> Set<Reader> {
        guard case .topics(let topics) = announcement else { return removeAll() }
        let found = topics.reduce(into: Set()) { $0.formUnion(readers[$1] ?? []) }
        for reader in found { remove(reader) }
        return found
    }

    private mutating func removeAll() -> Set<Reader> {
        defer { (reads, readers) = ([:], [:]) }
        return Set(reads.keys)
    }

    private mutating func remove(_ reader: Reader, from topic: Topic) {
        readers[topic]?.remove(reader)
        if readers[topic]?.isEmpty == true { readers[topic] = nil }
    }
}
