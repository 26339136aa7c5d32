@testable import ScreenService
import Testing

@Suite("Readers of topics") struct TopicReadersTests {
    private var readers = TopicReaders<String>()
    private let x = Topic("x")
    private let y = Topic("y")
    private let z = Topic("z")

    @Test mutating func aTopicTakesThoseWhoReadItAndNobodyElse() {
        readers.insert("a", reading: [x])
        readers.insert("b", reading: [x, y])
        readers.insert("c", reading: [y])
        #expect(readers.removeAll(reading: .topics([x, z])) == ["a", "b"])
        #expect(readers.removeAll(reading: .topics([x])).isEmpty)
        #expect(readers.removeAll(reading: .topics([y])) == ["c"])
        #expect((readers.count, readers.topicCount) == (0, 0))
    }

    @Test mutating func whatWasReadLastCounts() {
        readers.insert("a", reading: [x, z])
        readers.insert("a", reading: [y, z])
        #expect((readers.count, readers.topicCount) == (1, 2))
        #expect(readers.removeAll(reading: .topics([x])).isEmpty)
        #expect(readers.removeAll(reading: .topics([y])) == ["a"])
    }

    @Test mutating func whoIsRemovedLeavesNothing() {
        readers.insert("a", reading: [x, y])
        readers.insert("b", reading: [])
        for reader in ["a", "a", "b"] { readers.remove(reader) }
        #expect((readers.count, readers.topicCount) == (0, 0))
    }
}
