import ScreenService
import Synchronization
import Testing

@testable import ScreenHTTP

@Suite("The rate of requests") struct RequestRateTests {
    /// A clock that a test sets, in nanoseconds.
    private final class Clock: Sendable {
        private let time = Atomic<Int64>(1_000_000_000_000)

        var now: Int64 { time.load(ordering: .relaxed) }

        func advance(milliseconds: Int64) {
            time.add(milliseconds * 1_000_000, ordering: .relaxed)
        }
    }

    private static let (ada, bea) = (LimitKey.user("ada"), LimitKey.user("bea"))
    private let clock = Clock()
    private let rate: RequestRate

    init() {
        rate = RequestRate(perSecond: 10, now: { [clock] in clock.now })
    }

    /// Sends requests until one is rejected, but at most a thousand. Returns the number of admitted requests.
    private func admittedCount(of caller: LimitKey) -> Int {
        (0..<1000).first { _ in !rate.admits(caller) } ?? 1000
    }

    @Test func aCallerMaySendTwiceTheRateAtOnce() {
        #expect(admittedCount(of: Self.ada) == 20)
        #expect(rate.isReached(by: Self.ada))
    }

    @Test func afterABurstACallerMaySendAtTheRate() {
        _ = admittedCount(of: Self.ada)
        clock.advance(milliseconds: 300)
        #expect(!rate.isReached(by: Self.ada))
        #expect(admittedCount(of: Self.ada) == 3)
        clock.advance(milliseconds: 60_000)
        #expect(admittedCount(of: Self.ada) == 20, "no more than a burst is saved up")
    }

    @Test func aCallerAtTheLimitDoesNotLimitOthers() {
        _ = admittedCount(of: Self.ada)
        #expect(admittedCount(of: Self.bea) == 20)
    }

    @Test(arguments: [.unknown, .user("115982736451029384756"), .address(high: .max, low: 0), .address(high: 0, low: .max)] as [LimitKey])
    func callersOfAllKindsAreLimited(caller: LimitKey) {
        #expect(admittedCount(of: caller) == 20)
    }

    @Test func rejectedRequestsDoNotCount() {
        _ = admittedCount(of: Self.ada)
        for _ in 0..<100 { #expect(!rate.admits(Self.ada)) }
        clock.advance(milliseconds: 100)
        #expect(rate.admits(Self.ada))
    }

    @Test func anyNumberOfCallersIsAdmittedAndFewAreRemembered() {
        for number in 0..<(UInt64(RequestRate.bucketLimit) * 40) {
            #expect(rate.admits(.address(high: number << 16, low: 0)))
        }
        #expect(rate.bucketCount <= 16 * RequestRate.bucketLimit)
        #expect(admittedCount(of: Self.ada) == 20)
    }
}
