import CoreMetrics
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

@Suite("The metrics of a service", .timeLimit(.minutes(1))) struct ServiceMetricsTests {
    private let backend = CountingBackend()

    @Test(arguments: [
        (DeadlineFault.notComputed as any Error, FailureCause.deadline), (DeadlineFault.outcomeUnknown(hasKey: true), .deadline),
        (DeadlineFault.tooManyStragglers, .overload), (DeadlineFault.tooManyAtOnce, .overload),
        (ActionFault.receiptsFull(ofCaller: true, retryAfter: 1), .overload), (DataUnavailable(reason: ""), .data),
        (ActionFault.performedButNotAnswered, .data), (ScreenError.noSuchValue(parameter: "a", detail: ""), .request),
        (BrokenRules([]), .request), (ActionFault.keyInProgress, .request), (CancellationError(), .cancelled), (Broken(), .fault),
        (FailedComputation(cause: DataUnavailable(reason: ""), reads: [], generation: Topics().generation), .data),
        (ActionFailure(cause: Broken(), outcome: .unknown), .fault),
    ])
    func eachErrorHasOneOfAFewCauses(_ error: any Error, _ cause: FailureCause) {
        #expect(FailureCause(error) == cause)
    }

    @Test func failuresOfComputationsAndActionsAreCountedByCause() async throws {
        let letters = try await LetterService()
        letters.store.fail(DataUnavailable(reason: "away"))
        _ = try? await letters.service.snapshot(of: letters.view()).value
        _ = try await letters.failure(.of("none", .object([])))
        let counts = letters.service.metrics.current
        #expect(counts.failuresByCause == [.data: 1] && counts.actionFailuresByCause == [.request: 1])
    }

    @Test func durationsOfComputationsAndHandlersAreRecordedByScreen() async throws {
        let letters = try await LetterService(metrics: backend)
        for _ in 0..<2 { _ = try await letters.service.perform(.add("d"), on: letters.view()) }
        _ = try await letters.service.snapshot(of: letters.view(of: "notes")).value
        #expect(backend.recorded("relist_computation_duration_seconds", "letters") == 2)
        #expect(backend.recorded("relist_computation_duration_seconds", "notes") == 1)
        #expect(backend.recorded("relist_action_duration_seconds", "letters") == 2)
    }

    @Test func theLagIsRecordedWhenTheLastFollowerIsShownAChange() async throws {
        let letters = try await LetterService(metrics: backend)
        let followers = [
            try await Follower(letters.service, letters.view()), try await Follower(letters.service, letters.view()),
        ]
        for follower in followers { _ = await follower.next() }
        #expect(letters.service.followerCount == 2)
        letters.store.write(["new"])
        _ = await followers[0].next()
        #expect(backend.recorded("relist_follower_lag_seconds") == 0)
        _ = await followers[1].next()
        #expect(backend.recorded("relist_follower_lag_seconds") == 1)
        for follower in followers { follower.leave() }
        #expect(letters.service.followerCount == 0)
    }

    @Test func presentedVersionsAreCountedByThePlaceInWhichTheyAreFound() async throws {
        let store = HistoryInMemory()
        let history = History(store: store, hash: .fixed, logger: .silent, now: { 0 })
        let record = HistoryRecord(key: .some(1), view: 1, outline: EncodedOutline.some(1).sealed(for: .some(1), hash: .fixed), usedAt: 0)
        try await store.write(HistoryBatch(saved: [record]))
        for key in [HistoryKey.some(1), .some(1), .some(2)] { _ = try await history.outline(of: key).value }
        #expect((history.counts.storeHits, history.counts.memoryHits, history.counts.misses) == (1, 1, 1))
    }
}

@Suite("The lag of followers") struct FeedLagTests {
    @Test func aDeliveryEndsWithItsLastFollower() {
        var lag = FeedLag()
        lag.noteChange()
        lag.noteReading()
        #expect(lag.beginDelivery(to: 2) == nil)
        #expect(lag.endDelivery() == nil && lag.endDelivery() != nil && lag.endDelivery() == nil)
    }

    @Test func aChangeThatLeavesTheViewUnchangedHasNoLag() {
        var lag = FeedLag()
        lag.noteChange()
        lag.noteReading()
        lag.noteNoDelivery()
        #expect(lag.beginDelivery(to: 1) == nil && lag.endDelivery() == nil)
    }

    @Test func theLagBeginsWithTheFirstChangeEvenIfAComputationFails() {
        var lag = FeedLag()
        let start = ContinuousClock.now
        lag.noteChange(at: start)
        lag.noteReading()
        lag.noteChange(at: start + .seconds(1))
        lag.noteReading()
        _ = lag.beginDelivery(to: 1)
        #expect(lag.endDelivery(at: start + .seconds(3)) == .seconds(3))
    }

    @Test func followersThatNeverReadDoNotCountTowardsTheLag() {
        var lag = FeedLag()
        let start = ContinuousClock.now
        lag.noteChange(at: start)
        lag.noteReading()
        #expect(lag.beginDelivery(to: 2) == nil)
        #expect(lag.endDelivery(at: start + .seconds(1)) == nil)
        lag.noteChange(at: start + .seconds(60))
        lag.noteReading()
        #expect(lag.beginDelivery(to: 1) == .seconds(1))
        #expect(lag.beginDelivery(to: 1) == nil, "nobody was shown the change")
    }
}

private struct Broken: Error {}

/// A backend of swift-metrics that counts the values that timers record.
private final class CountingBackend: MetricsFactory {
    private final class CountingTimer: TimerHandler {
        let count = Atomic(0)

        func recordNanoseconds(_ duration: Int64) {
            count.add(1, ordering: .relaxed)
        }
    }

    private let timers = Mutex<[String: CountingTimer]>([:])

    /// Returns the number of values of a timer, by its name and the value of its label.
    func recorded(_ name: String, _ value: String = "") -> Int? {
        timers.withLock { $0["\(name) \(value)"]?.count.load(ordering: .relaxed) }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let timer = CountingTimer()
        timers.withLock { $0["\(label) \(dimensions.first?.1 ?? "")"] = timer }
        return timer
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { NOOPMetricsHandler.instance }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
