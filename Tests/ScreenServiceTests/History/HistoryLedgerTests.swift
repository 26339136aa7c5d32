@testable import ScreenService
import Testing

@Suite("The ledger of history") struct HistoryLedgerTests {
    private var ledger = HistoryLedger(bounds: HistoryBounds(versionsPerScreen: 3, age: 100, bytes: 1 << 20))

    @Test mutating func whatIsRecordedIsFoundForItsAudienceAndScreenAlone() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 0)
        #expect(ledger.outline(of: .some(1)) == .some(1))
        #expect(ledger.outline(of: .some(2)) == nil)
        #expect(ledger.outline(of: .some(1, of: .user("everyone"))) == nil)
        #expect(ledger.outline(of: .some(1, screen: "digits")) == nil)
        #expect(ledger.count == 1)
    }

    @Test mutating func aNewerVersionOfAViewSupersedesTheOlder() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        #expect(ledger.takeBatch() == .saving(.some(1, recordedAt: 10)))
        ledger.record(.some(2), outline: .some(2), view: 1, now: 20)
        var batch = HistoryBatch.saving(.some(2, recordedAt: 20))
        batch.superseded = [.some(1): 20]
        #expect(ledger.takeBatch() == batch)
        ledger.record(.some(3), outline: .some(3), view: 1, now: 30)
        batch = .saving(.some(3, recordedAt: 30))
        batch.superseded = [.some(2): 30]
        #expect(ledger.takeBatch() == batch)
        #expect(ledger.takeBatch().isEmpty)
    }

    @Test mutating func whatIsSupersededBeforeItIsWrittenIsWrittenOnce() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        ledger.record(.some(2), outline: .some(2), view: 1, now: 20)
        #expect(ledger.takeBatch() == .saving(.some(1, recordedAt: 10, supersededAt: 20), .some(2, recordedAt: 20)))
    }

    @Test mutating func whatIsRecordedAgainIsNotWrittenAgain() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        _ = ledger.takeBatch()
        ledger.record(.some(1), outline: .some(1), view: 1, now: 20)
        #expect(ledger.takeBatch().isEmpty)
        #expect(ledger.count == 1)
    }

    @Test mutating func viewsOfAScreenDoNotSupersedeEachOther() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        ledger.record(.some(2), outline: .some(2), view: 2, now: 20)
        ledger.record(.some(3, of: .user("a")), outline: .some(3), view: 1, now: 30)
        ledger.record(.some(4, screen: "digits"), outline: .some(4), view: 1, now: 40)
        let batch = ledger.takeBatch()
        #expect(batch.saved.allSatisfy { $0.supersededAt == nil })
        #expect(batch.superseded.isEmpty)
    }

    @Test mutating func aVersionOfTwoViewsIsTheNewestOfTheOneThatShowedItLast() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        ledger.record(.some(1), outline: .some(1), view: 2, now: 20)
        ledger.record(.some(2), outline: .some(2), view: 1, now: 30)
        let first: [HistoryRecord] = [.some(1, view: 2, recordedAt: 20), .some(2, recordedAt: 30)]
        #expect(ledger.takeBatch() == .saving(first))
        ledger.record(.some(3), outline: .some(3), view: 2, now: 40)
        #expect(ledger.takeBatch().superseded == [.some(1): 40])
        #expect(ledger.outline(of: .some(1)) != nil)
    }

    @Test mutating func whoeverRevertsToAnEarlierVersionHasItAsTheNewest() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        ledger.record(.some(2), outline: .some(2), view: 1, now: 20)
        _ = ledger.takeBatch()
        ledger.record(.some(1), outline: .some(1), view: 1, now: 30)
        var batch = HistoryBatch.saving(.some(1, recordedAt: 30))
        batch.superseded = [.some(2): 30]
        #expect(ledger.takeBatch() == batch)
        #expect(ledger.count == 2)
        ledger.record(.some(2), outline: .some(2), view: 1, now: 40)
        batch = .saving(.some(2, recordedAt: 40))
        batch.superseded = [.some(1): 40]
        #expect(ledger.takeBatch() == batch)
    }

    @Test mutating func moreVersionsThanTheBoundMakeTheLongestSupersededLeave() {
        for number in 1...3 as ClosedRange<UInt64> { ledger.record(.some(number), outline: .some(number), view: 1, now: Int64(number)) }
        _ = ledger.takeBatch()
        ledger.record(.some(4), outline: .some(4), view: 1, now: 4)
        #expect(ledger.numbers == [2, 3, 4])
        var batch = HistoryBatch.saving(.some(4, recordedAt: 4))
        batch.superseded = [.some(3): 4]
        batch.removed = [.some(1)]
        #expect(ledger.takeBatch() == batch)
    }

    @Test mutating func whatIsTheNewestOfAViewStaysLongerThanWhatIsNot() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 1)
        ledger.record(.some(2), outline: .some(2), view: 2, now: 2)
        ledger.record(.some(3), outline: .some(3), view: 2, now: 3)
        ledger.record(.some(4), outline: .some(4), view: 2, now: 4)
        #expect(ledger.numbers == [1, 3, 4])
        ledger.record(.some(5), outline: .some(5), view: 3, now: 5)
        ledger.record(.some(6), outline: .some(6), view: 4, now: 6)
        #expect(ledger.numbers == [4, 5, 6])
    }

    @Test mutating func recordingAgainMakesAVersionStayLonger() {
        for number in 1...3 as ClosedRange<UInt64> { ledger.record(.some(number), outline: .some(number), view: number, now: Int64(number)) }
        ledger.record(.some(1), outline: .some(1), view: 1, now: 4)
        ledger.record(.some(4), outline: .some(4), view: 4, now: 5)
        #expect(ledger.numbers == [1, 3, 4])
    }

    /// The clock counts seconds, and many versions come in one.
    @Test mutating func whatIsRecordedInOneSecondLeavesInItsOrder() {
        for number in 1...40 as ClosedRange<UInt64> {
            ledger.record(.some(number), outline: .some(number), view: number <= 20 ? number : 0, now: 7)
            let expected = number <= 20 ? (number - min(number, 3) + 1)...number : nil
            if let expected { #expect(ledger.numbers == Array(expected)) }
            #expect(ledger.outline(of: .some(number)) != nil)
        }
    }

    @Test mutating func boundsCountForEachAudienceAndScreen() {
        for number in 1...5 as ClosedRange<UInt64> {
            ledger.record(.some(number), outline: .some(number), view: 1, now: Int64(number))
            ledger.record(.some(number, of: .user("a")), outline: .some(number), view: 1, now: Int64(number))
            ledger.record(.some(number, screen: "digits"), outline: .some(number), view: 1, now: Int64(number))
        }
        #expect(ledger.count == 9)
    }

    @Test mutating func ageCountsSinceAVersionWasSuperseded() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 0)
        ledger.record(.some(2), outline: .some(2), view: 1, now: 50)
        ledger.record(.some(3), outline: .some(3), view: 2, now: 50)
        ledger.prune(now: 150)
        #expect(ledger.numbers == [1, 2, 3])
        _ = ledger.takeBatch()
        ledger.prune(now: 150 + 61)
        #expect(ledger.numbers == [2, 3])
        var batch = HistoryBatch()
        batch.removed = [.some(1)]
        #expect(ledger.takeBatch() == batch)
        ledger.prune(now: 1_000_000)
        #expect(ledger.numbers == [2, 3])
    }

    @Test mutating func agesAreLookedAtOnceAMinute() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 0)
        ledger.record(.some(2), outline: .some(2), view: 1, now: 0)
        ledger.prune(now: 99)
        ledger.prune(now: 101)
        #expect(ledger.numbers == [1, 2])
        ledger.prune(now: 99 + 60)
        #expect(ledger.numbers == [2])
    }

    @Test func bytesMakeTheFirstLeaveOfAllScreensAndAudiences() {
        let cost = EncodedOutline.some(cells: 100).bytes.count + 87
        var ledger = HistoryLedger(bounds: HistoryBounds(versionsPerScreen: 100, age: 100, bytes: 10 * cost))
        for number in 1...10 as ClosedRange<UInt64> {
            let audience = number.isMultiple(of: 2) ? Audience.everyone : .user("a")
            ledger.record(.some(number, of: audience), outline: .some(number, cells: 100), view: number, now: Int64(number))
        }
        #expect(ledger.count == 10)
        #expect(ledger.bytes == 10 * cost)
        _ = ledger.takeBatch()
        ledger.record(.some(11), outline: .some(11, cells: 100), view: 11, now: 11)
        // Down to nine tenths.
        #expect(ledger.count == 9)
        #expect(ledger.bytes == 9 * cost)
        #expect(ledger.takeBatch().removed == [.some(1, of: .user("a")), .some(2)])
    }

    @Test mutating func aBatchThatWasGivenBackComesAgain() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        let batch = ledger.takeBatch()
        ledger.giveBack(batch)
        #expect(ledger.takeBatch() == batch)
    }

    @Test mutating func whatIsSupersededWhileItsRecordFailsToBeWrittenIsWrittenWhole() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        let failed = ledger.takeBatch()
        ledger.record(.some(2), outline: .some(2), view: 1, now: 20)
        ledger.giveBack(failed)
        let batch = ledger.takeBatch()
        #expect(batch.superseded.isEmpty)
        #expect(Set(batch.saved) == [.some(1, recordedAt: 10, supersededAt: 20), .some(2, recordedAt: 20)])
    }

    @Test mutating func whatCameSinceABatchFailedWins() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 10)
        _ = ledger.takeBatch()
        ledger.record(.some(2), outline: .some(2), view: 1, now: 20)
        let failed = ledger.takeBatch()
        ledger.record(.some(1), outline: .some(1), view: 1, now: 30)
        ledger.giveBack(failed)
        let batch = ledger.takeBatch()
        #expect(batch.superseded.isEmpty)
        #expect(Set(batch.saved) == [.some(1, recordedAt: 30), .some(2, recordedAt: 20, supersededAt: 30)])
    }

    @Test mutating func whatLeftWhileItsRecordFailedToBeWrittenStaysAway() {
        ledger.record(.some(1), outline: .some(1), view: 1, now: 1)
        let failed = ledger.takeBatch()
        for number in 2...4 as ClosedRange<UInt64> { ledger.record(.some(number), outline: .some(number), view: 1, now: Int64(number)) }
        ledger.giveBack(failed)
        let batch = ledger.takeBatch()
        #expect(batch.removed == [.some(1)])
        #expect(!batch.saved.contains { $0.key == .some(1) })
    }

    @Test mutating func whatWasStoredIsThereAgainWithoutBeingWritten() {
        ledger.restore(.some(1, recordedAt: 1, supersededAt: 5))
        ledger.restore(.some(2, recordedAt: 5))
        #expect(ledger.numbers == [1, 2])
        #expect(ledger.takeBatch().isEmpty)
        ledger.record(.some(3), outline: .some(3), view: 1, now: 9)
        #expect(ledger.takeBatch().superseded == [.some(2): 9])
        ledger.prune(now: 106)
        #expect(ledger.numbers == [2, 3])
    }

    @Test mutating func damagedRecordsAreLeftOutAndRemovedFromTheStore() {
        ledger.restore(HistoryRecord(key: .some(1), view: 1, outline: [], recordedAt: 0, supersededAt: nil))
        ledger.restore(HistoryRecord(key: .some(2), view: 1, outline: [9] + EncodedOutline.some(2).bytes.dropFirst(), recordedAt: 0, supersededAt: 1))
        ledger.restore(.some(3, recordedAt: 0))
        #expect(ledger.numbers == [3])
        var batch = HistoryBatch()
        batch.removed = [.some(1), .some(2)]
        #expect(ledger.takeBatch() == batch)
    }

    @Test func aStoreWithMoreThanTheBoundsIsCutAtTheFirstLook() {
        var ledger = HistoryLedger(bounds: HistoryBounds(versionsPerScreen: 3, age: 100, bytes: 1 << 20))
        for number in 1...6 as ClosedRange<UInt64> { ledger.restore(.some(number, recordedAt: Int64(number), supersededAt: number < 6 ? Int64(number) : nil)) }
        ledger.prune(now: 10)
        #expect(ledger.numbers == [4, 5, 6])
        #expect(ledger.takeBatch().removed == [.some(1), .some(2), .some(3)])
    }
}

extension HistoryLedger {
    /// The numbers of the versions that everyone's `letters` have, of the first fifty.
    fileprivate var numbers: [UInt64] { (0..<50).filter { outline(of: .some($0)) != nil } }
}

extension HistoryBatch {
    fileprivate static func saving(_ records: HistoryRecord...) -> HistoryBatch { saving(records) }

    fileprivate static func saving(_ records: [HistoryRecord]) -> HistoryBatch {
        var batch = HistoryBatch()
        batch.saved = records
        return batch
    }
}

extension HistoryRecord {
    fileprivate static func some(
        _ number: UInt64, view: UInt64 = 1, recordedAt: Int64, supersededAt: Int64? = nil
    ) -> HistoryRecord {
        HistoryRecord(
            key: .some(number), view: view, outline: EncodedOutline.some(number).bytes, recordedAt: recordedAt,
            supersededAt: supersededAt
        )
    }
}
