import Testing

@testable import ScreenService

/// Tests of requests that wait for changes. If a request is not woken, it waits until the time limit of its test, and the test
/// fails.
@Suite("Waiting for changes", .timeLimit(.minutes(1))) struct WaitingTests {
    private static let many = (1...20).map { "c\($0)" }
    private static let long = Duration.seconds(3600)
    private let turns = Turns()

    @Test(arguments: [nil, "nonsense"]) func aRequestWithAnUnknownVersionDoesNotWait(version: String?) async throws {
        let letters = try await LetterService()
        let document = try await letters.service.changes(of: letters.view(), from: version, waiting: Self.long)
        #expect(document.kind == .snapshot)
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func aRequestWithAnOldVersionDoesNotWait() async throws {
        let letters = try await LetterService(Self.many)
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        letters.store.write(Self.many.reversed())
        let document = try await letters.service.changes(of: letters.view(), from: old, waiting: Self.long)
        #expect(document.text.contains(#""from":"\#(old)""#) && document.version != old)
    }

    @Test func aRequestLeavesNoTimerIfItDoesNotWait() async throws {
        let letters = try await LetterService(Self.many)
        for _ in 0..<200 { _ = try await letters.service.changes(of: letters.view(), from: nil, waiting: Self.long) }
        #expect(letters.service.timers.count < 100)
    }

    @Test func aWaitingRequestReturnsWhenTheViewChanges() async throws {
        let letters = try await LetterService(Self.many)
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value.version
        let waiting = turns.start { try await letters.service.changes(of: view, from: old, waiting: Self.long) }
        turns.settle()
        #expect(letters.service.followedViewCount == 1)
        letters.store.write(Self.many + ["new"])
        #expect(try await waiting.awaited.text.contains("the letter new"))
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func aWaitReturnsAnEmptyChangesetIfItTimesOut() async throws {
        let letters = try await LetterService()
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        let document = try await letters.service.changes(of: letters.view(), from: old, waiting: .milliseconds(1))
        #expect(document.text.hasSuffix(#""from":"\#(old)","version":"\#(old)","stages":[]}"#))
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func aWaitingRequestDoesNotReturnIfAChangeDoesNotAffectTheView() async throws {
        let letters = try await LetterService()
        let view = letters.view(["limit": "2"])
        let old = try await letters.service.snapshot(of: view).value.version
        let waiting = turns.start { try await letters.service.changes(of: view, from: old, waiting: Self.long) }
        turns.settle()
        letters.store.write(["x"], of: "somebody")
        letters.store.write(["a", "b", "c"])
        letters.store.write(["b", "a", "c"])
        #expect(try await waiting.awaited.version != old)
    }

    @Test func aWaitingRequestContinuesToWaitWhileReportsOfCommitsAreMissing() async throws {
        let letters = try await LetterService(["old"])
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value.version
        let waiting = turns.start { try await letters.service.changes(of: view, from: old, waiting: Self.long) }
        turns.settle()
        letters.topics.announceMissed()
        turns.settle()
        letters.store.write(["new"])
        #expect(try await waiting.awaited.text.contains("the letter new"))
    }

    @Test func aRequestAfterAWriteWaitsForTheNextChange() async throws {
        let letters = try await LetterService(["one"])
        let view = letters.view()
        let other = try await Follower(letters.service, view)
        let mine = try await LetterService(["two"]).service.snapshot(of: view).value.version
        let gate = letters.store.hold()
        letters.store.write(["two"])
        await gate.isReached()
        // The feed still shows the view from before the write.
        let waiting = turns.start { try await letters.service.changes(of: view, from: mine, waiting: Self.long) }
        turns.settle()
        gate.open()
        #expect(await other.document(saying: "the letter two") != nil)
        letters.store.write(["three"])
        #expect(try await waiting.awaited.text.contains("the letter three"))
    }

    @Test func currentAndNewRequestsToADrainedServiceDoNotWait() async throws {
        let letters = try await LetterService()
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value.version
        let waiting = turns.start { try await letters.service.changes(of: view, from: old, waiting: Self.long) }
        turns.settle()
        letters.service.drain()
        #expect(try await waiting.awaited.text.hasSuffix(#""stages":[]}"#))
        let late = try await letters.service.changes(of: view, from: old, waiting: Self.long)
        #expect(late.text.hasSuffix(#""stages":[]}"#))
    }

    @Test func aWaitingRequestFailsIfItsViewNoLongerExists() async throws {
        let letters = try await LetterService()
        let view = letters.view()
        let error = ScreenError.noSuchValue(parameter: "q", detail: "none")
        let old = try await letters.service.snapshot(of: view).value.version
        let waiting = turns.start { try await letters.service.changes(of: view, from: old, waiting: Self.long) }
        turns.settle()
        for _ in 0..<2 { letters.store.fail(error) }
        letters.store.write(["new"])
        await #expect(throws: error) { try await waiting.awaited }
    }
}
