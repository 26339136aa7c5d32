import Testing

@testable import ScreenService

@Suite("Readers of topics") struct TopicReadersTests {
    private var readers = TopicReaders<String>()
    private let x = Topic("x")
    private let y = Topic("y")
    private let z = Topic("z")

    @Test mutating func removingAnnouncedTopicsReturnsTheirReaders() {
        readers.insert("a", reading: [x])
        readers.insert("b", reading: [x, y])
        readers.insert("c", reading: [y])
        #expect(readers.removeTopics(of: .topics([x, z])) == [x: ["a", "b"]])
        #expect(readers.removeTopics(of: .topics([x])).isEmpty)
        #expect(readers.removeTopics(of: .topics([y])) == [y: ["b", "c"]])
        #expect(readers.isEmpty)
    }

    @Test mutating func announcingAllTopicsAlsoRemovesReadersWithoutTopics() {
        readers.insert("a", reading: [x])
        readers.insert("b", reading: [])
        #expect(readers.removeTopics(of: .topics([y])).isEmpty)
        #expect(readers.removeTopics(of: .everything) == [x: ["a"], nil: ["b"]])
        #expect(readers.isEmpty)
    }

    @Test mutating func removingAReaderOfTopicsRemovesAllItsEntries() {
        readers.insert("a", reading: [x, y])
        readers.insert("b", reading: [])
        for (reader, topics) in [("a", [x, y]), ("a", [x, y]), ("b", [])] { readers.remove(reader, reading: Set(topics)) }
        #expect(readers.isEmpty)
    }
}
