import Testing

@testable import ExampleScreens

struct RetryPolicyTests {
    private let policy = RetryPolicy(attempts: 4, pause: .milliseconds(200), longestPause: .seconds(2))

    @Test(arguments: [PostsFailure.unreachable, .slow, .status(500), .status(503), .status(599), .status(429)])
    func temporaryFailuresAreRetried(failure: PostsFailure) {
        #expect(policy.delay(after: failure, retryAfter: nil, attempt: 1, jitter: 0) == .milliseconds(200))
    }

    @Test(arguments: [
        PostsFailure.status(400), .status(404), .status(301), .notJSON, .wrongShape(at: "/0"), .tooLarge,
    ])
    func permanentFailuresAreNotRetried(failure: PostsFailure) {
        #expect(policy.delay(after: failure, retryAfter: nil, attempt: 1, jitter: 0) == nil)
    }

    @Test func eachPauseBetweenAttemptsIsTwiceAsLongAsThePreviousPause() {
        let delays = (1...5).map { policy.delay(after: .slow, retryAfter: nil, attempt: $0, jitter: 0) }
        #expect(delays == [.milliseconds(200), .milliseconds(400), .milliseconds(800), nil, nil])
    }

    @Test func jitterShortensAPauseByUpToHalf() {
        #expect(policy.delay(after: .slow, retryAfter: nil, attempt: 1, jitter: 1) == .milliseconds(100))
        #expect(policy.delay(after: .slow, retryAfter: nil, attempt: 2, jitter: 0.5) == .milliseconds(300))
    }

    @Test func theRetryAfterHeaderLengthensThePause() {
        #expect(delay(retryAfter: .seconds(2)) == .seconds(2))
        #expect(delay(retryAfter: .zero) == .milliseconds(200))
        #expect(policy.delay(after: .status(503), retryAfter: .seconds(1), attempt: 4, jitter: 0) == nil)
    }

    @Test(arguments: [Duration.seconds(3), .seconds(3600), .seconds(Int64.max)])
    func anExcessiveDelayInTheRetryAfterHeaderEndsTheAttempts(retryAfter: Duration) {
        #expect(delay(retryAfter: retryAfter) == nil)
    }

    private func delay(retryAfter: Duration) -> Duration? {
        policy.delay(after: .status(429), retryAfter: retryAfter, attempt: 1, jitter: 0)
    }
}
