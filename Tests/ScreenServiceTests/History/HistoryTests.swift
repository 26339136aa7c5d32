import Logging
@testable import ScreenService
import Synchronization
import Testing

@Suite("History") struct HistoryTests {
    let store = InMemoryHistory()

    private func history(_ bounds: HistoryBounds = HistoryBounds(), now: Int64 = 1000) async throws -> History {
        try await History(store: store, bounds: bounds, logger: .silent, now: { now })
    }

    @Test func whatIsRecordedIsThereAtOnceAndInTheStoreAfterAFlush() async throws {
        let history = try await history()
        history.record(.some(1), outline: .some(1), view: 1)
        #expect(history.outline(of: .some(1)) == .some(1))
        #expect(history.usage == (1, EncodedOutline.some(1).bytes.count + 87))
        #expect(store.batches.isEmpty)
        await history.flush()
        #expect(store.kept.keys.map(\.self) == [.some(1)])
        #expect(store.kept[.some(1)]?.recordedAt == 1000)
    }

    @Test func aFlushWithoutNewsWritesNothing() async throws {
        let history = try await history()
        await history.flush()
        history.record(.some(1), outline: .some(1), view: 1)
        await history.flush()
        await history.flush()
        #expect(store.batches.count == 1)
    }

    @Test func anotherHistoryOverTheSameStoreGoesOnWithIt() async throws {
        let first = try await history()
        first.record(.some(1), outline: .some(1), view: 1)
        first.record(.some(2), outline: .some(2), view: 1)
        await first.flush()
        let second = try await history()
        #expect(second.outline(of: .some(1)) == .some(1))
        #expect(second.outline(of: .some(2)) == .some(2))
        #expect(second.usage == first.usage)
        second.record(.some(3), outline: .some(3), view: 1)
        await second.flush()
        #expect(store.batches.last?.superseded == [.some(2): 1000])
    }

    @Test func whatCannotBeWrittenIsKeptAndTriedAgain() async throws {
        let history = try await history()
        store.fail(true)
        history.record(.some(1), outline: .some(1), view: 1)
        await history.flush()
        #expect(store.kept.isEmpty)
        history.record(.some(2), outline: .some(2), view: 1)
        await history.flush()
        #expect(history.outline(of: .some(1)) != nil)
        store.fail(false)
        await history.flush()
        #expect(Set(store.kept.keys) == [.some(1), .some(2)])
        #expect(store.kept[.some(1)]?.supersededAt == 1000)
    }

    @Test func aStoreThatCannotBeReadIsNoEmptyOne() async throws {
        store.fail(true)
        await #expect(throws: InMemoryHistory.Failure.self) { try await history() }
    }

    @Test func whatIsOverTheBoundsAtTheStartLeavesTheStore() async throws {
        let first = try await history(now: 0)
        for number in 1...4 as ClosedRange<UInt64> { first.record(.some(number), outline: .some(number), view: number) }
        first.record(.some(5), outline: .some(5), view: 1)
        await first.flush()
        let second = try await history(HistoryBounds(age: 100), now: 101)
        #expect(second.outline(of: .some(1)) == nil)
        #expect(second.usage.versions == 4)
        await second.flush()
        #expect(Set(store.kept.keys) == [.some(2), .some(3), .some(4), .some(5)])
    }

    @Test func whatTheStoreHasLeavesInTheOrderInWhichItWasRecorded() async throws {
        let numbers: [UInt64] = [5, 2, 8, 1, 7, 3, 6, 4]
        let records = numbers.map {
            HistoryRecord(key: .some($0), view: $0, outline: EncodedOutline.some($0).bytes, recordedAt: Int64($0), supersededAt: nil)
        }
        let history = try await History(
            store: InMemoryHistory(records), bounds: HistoryBounds(versionsPerScreen: 3), logger: .silent, now: { 10 }
        )
        #expect(numbers.sorted().filter { history.outline(of: .some($0)) != nil } == [6, 7, 8])
    }

    @Test func damagedRecordsLeaveTheStore() async throws {
        let damaged = HistoryRecord(key: .some(1), view: 1, outline: [1, 2], recordedAt: 0, supersededAt: nil)
        let store = InMemoryHistory([damaged])
        let history = try await History(store: store, bounds: HistoryBounds(), logger: .silent, now: { 0 })
        #expect(history.outline(of: .some(1)) == nil)
        await history.flush()
        #expect(store.kept.isEmpty)
    }

    @Test func whoRunsItWritesBehindTheAnswers() async throws {
        let history = try await history()
        let running = Task { await history.run() }
        history.record(.some(1), outline: .some(1), view: 1)
        for await _ in store.writes { break }
        #expect(store.kept[.some(1)] != nil)
        running.cancel()
        await running.value
    }

    @Test func whoIsCancelledWritesOnceMore() async throws {
        let history = try await history()
        let running = Task { await history.run() }
        history.record(.some(1), outline: .some(1), view: 1)
        running.cancel()
        await running.value
        #expect(store.kept[.some(1)] != nil)
        #expect(store.batches.count == 1)
    }
}
