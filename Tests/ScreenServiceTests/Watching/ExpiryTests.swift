import Synchronization
import Testing

@testable import ScreenService

@Suite("Subscriptions that expire", .timeLimit(.minutes(1))) struct ExpiryTests {
    private func hasEnded(_ subscription: Subscription) -> Bool {
        if case .end = subscription.news(since: nil, reported: .unknown) { true } else { false }
    }

    @Test func anExpiredSubscriptionEndsAndItsFollowerIsWoken() async throws {
        let letters = try await LetterService()
        let timer = Gate()
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let time = Mutex(ContinuousClock.now)
        let timers = Timers(now: { time.withLock { $0 } }) { due in
            await timer.pass()
            time.withLock { $0 = due }
        }
        let expiring = try await letters.service.follow(letters.view()) { wake.yield() }.value
        expiring.expire(after: .seconds(5), by: timers)
        let other = try await letters.service.follow(letters.view()).value
        await timer.isReached()
        #expect(!hasEnded(expiring))
        timer.open()
        _ = await wakes.first { _ in true }
        #expect(hasEnded(expiring) && !hasEnded(other))
    }

    @Test func aSubscriptionWithAnExpiryInThePastEndsImmediately() async throws {
        let letters = try await LetterService()
        for expiry in [1000, 999, Int64.min / 2] {
            #expect(hasEnded(try await letters.service.follow(letters.view(), until: expiry).value))
        }
        #expect(!hasEnded(try await letters.service.follow(letters.view(), until: 1001).value))
    }

    @Test func releasingASubscriptionStopsItsTimer() async throws {
        let letters = try await LetterService()
        let timers = Timers(sleep: { _ in await Gate().pass() })
        for _ in 0..<1000 { try await letters.service.follow(letters.view()).value.expire(after: .seconds(3600), by: timers) }
        #expect(timers.count < 100)
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func aWaitingRequestReturnsWhenItExpires() async throws {
        let letters = try await LetterService()
        let version = try await letters.service.snapshot(of: letters.view()).value.version
        let document = try await letters.service.changes(of: letters.view(), from: version, waiting: .seconds(3600), until: 1000)
        #expect(document.text.contains(#""stages":[]"#))
    }
}
