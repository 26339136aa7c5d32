import SeededRandom
import Testing

@testable import ScreenService

@Suite("The part of history in memory") struct HistoryMemoryTests {
    static let seeds = Seeds.first(40)

    private var memory = HistoryMemory(byteLimit: 1 << 20, hash: .fixed)

    /// Returns the next batch to write, and marks the batch as written.
    private mutating func written() -> [HistoryKey: HistoryChange] {
        defer { memory.endWriting() }
        return memory.beginWriting() ?? [:]
    }

    @Test mutating func aRecordedVersionIsKeptInMemoryAndWrittenOnce() {
        memory.note(.some(1), outline: .some(1), view: 7, now: 100)
        #expect(memory.outline(of: .some(1)) == .some(1))
        #expect(memory.unwrittenCount == 1)
        #expect(written().savedAt == [.some(1): 100])
        #expect(memory.beginWriting() == nil && memory.unwrittenCount == 0)
    }

    @Test mutating func theTimeOfTheLastUseOfAVersionIsWrittenAtMostOncePerInterval() {
        memory.note(.some(1), outline: .some(1), view: 7, now: 0)
        _ = written()
        memory.note(.some(1), outline: .some(1), view: 7, now: 599)
        memory.note(.some(1), now: 599)
        #expect(memory.unwrittenCount == 0)
        memory.note(.some(1), now: 600)
        #expect(written().savedAt == [.some(1): 600])
    }

    @Test(arguments: [Int64.min, -1, 500, 5000, .max]) mutating func usingARestoredVersionReplacesItsStoredTimeOfLastUse(usedAt: Int64) {
        memory.restore(HistoryRecord(key: .some(1), view: 7, outline: [], usedAt: usedAt), .some(1))
        memory.note(.some(1), now: 1200)
        #expect(written().savedAt == [.some(1): 1200])
    }

    @Test func anOutlineThatIsTooLargeForAStoreIsNotWritten() {
        var memory = HistoryMemory(byteLimit: 1 << 30, hash: .fixed)
        // The cells alone use as many bytes as a store allows for a version. The outline has further bytes, so it exceeds this limit.
        memory.note(.some(1), outline: .some(1, cells: HistoryRetention.Holding.byteLimit / 16), view: 7, now: 0)
        #expect(memory.usage.versions == 1)
        #expect(memory.unwrittenCount == 0 && memory.droppedCount == 1)
    }

    @Test mutating func theTimeOfTheLastUseIsWrittenEvenIfTheVersionIsNotInMemory() {
        memory.note(.some(1), now: 5)
        #expect(memory.outline(of: .some(1)) == nil)
        guard case .used(at: 5)? = written()[.some(1)] else { return #expect(Bool(false)) }
    }

    @Test mutating func anUnwrittenVersionThatIsUsedAgainIsStillWrittenWithItsOutline() {
        var memory = HistoryMemory(byteLimit: 16 * EncodedOutline.some(cells: 100).bytes.count, hash: .fixed)
        memory.note(.some(1), outline: .some(1, cells: 100), view: 7, now: 0)
        // Unwritten versions have a smaller byte limit than recently used versions.
        for number in 2...6 as ClosedRange<UInt64> { memory.note(.some(number), outline: .some(number, cells: 100), view: 7, now: 0) }
        memory.note(.some(6), now: 700)
        #expect(memory.beginWriting()?.savedAt[.some(6)] == 700)
    }

    @Test mutating func aBatchOfChangesThatCouldNotBeWrittenIsReturnedAgain() {
        memory.note(.some(1), outline: .some(1), view: 7, now: 0)
        _ = memory.beginWriting()
        #expect(memory.beginWriting() == nil)
        memory.note(.some(2), outline: .some(2), view: 7, now: 0)
        memory.endWriting(false)
        #expect(memory.beginWriting()?.savedAt == [.some(1): 0])
        #expect(memory.unwrittenCount == 2)
        memory.endWriting()
        #expect(memory.beginWriting()?.savedAt == [.some(2): 0])
    }

    @Test mutating func aBatchOfChangesContainsTheOldestChangesUpToItsLimit() {
        let limit = UInt64(HistoryMemory.batchLimit)
        for number in 0..<limit + 10 { memory.note(.some(number), outline: .some(number), view: 7, now: 0) }
        #expect(Set(written().keys) == Set((0..<limit).map { .some($0) }))
        #expect(written().count == 10)
    }

    @Test(arguments: seeds) func theMemoryOfHistoryStaysWithinItsByteLimitWhileTheStoreFails(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = 40_000
        var memory = HistoryMemory(byteLimit: limit, hash: .fixed)
        for now in 0..<Int64(2000) {
            let number = UInt64.random(in: 0..<500, using: &generator)
            memory.note(.some(number), outline: .some(number, cells: Int(number % 40)), view: number % 5, now: now)
            if now % 700 == 0, memory.beginWriting() != nil { memory.endWriting(false) }
            #expect(memory.usage.bytes <= limit)
            #expect(memory.outline(of: .some(number)) == .some(number, cells: Int(number % 40)))
        }
        #expect(memory.droppedCount > 0)
    }

    @Test func aVersionIsKnownOnlyForItsAudienceAndScreen() {
        var memory = HistoryMemory(byteLimit: 1 << 20, hash: .fixed)
        memory.note(.some(1, of: .user("a"), screen: "bc"), outline: .some(1), view: 1, now: 0)
        let others: [HistoryKey] = [
            .some(1, of: .user("ab"), screen: "c"), .some(1, of: .everyone, screen: "bc"), .some(1, of: .user("a"), screen: "b"),
            .some(1, of: .user(""), screen: "abc"), .some(2, of: .user("a"), screen: "bc"),
        ]
        for other in others { #expect(memory.outline(of: other) == nil) }
    }
}

extension [HistoryKey: HistoryChange] {
    /// The saved versions, each with the time of its last use.
    fileprivate var savedAt: [HistoryKey: Int64] {
        compactMapValues { change in
            if case .saved(_, _, let usedAt) = change { usedAt } else { nil }
        }
    }
}
