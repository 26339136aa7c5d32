import LogLines
import Synchronization
import Testing

@testable import ScreenService

/// Tests of feeds. If a follower is not woken, it waits until the time limit of its test, and the test fails.
@Suite("Feeds", .timeLimit(.minutes(1))) struct FeedsTests {
    private static let many = (1...20).map { "c\($0)" }
    private static let long = Duration.seconds(3600)
    private let turns = Turns()

    private func following(_ letters: LetterService, _ view: ScreenView? = nil) async throws -> Follower {
        let view = view ?? letters.view()
        let version = try await letters.service.snapshot(of: view).value.version
        return try await Follower(letters.service, view, since: version)
    }

    @Test func aFollowerWithTheNewestVersionReceivesNothingUntilTheViewChanges() async throws {
        let letters = try await LetterService(Self.many)
        let snapshot = try await letters.service.snapshot(of: letters.view()).value
        let follower = try await following(letters)
        #expect(!follower.hasNews)
        letters.store.write(Self.many + ["new"])
        let document = try #require(await follower.next())
        var held = try HeldDocument(snapshot.bytes)
        try held.apply(document.bytes)
        #expect(try await held == HeldDocument(letters.service.snapshot(of: letters.view()).value.bytes))
        #expect(!follower.hasNews)
    }

    @Test func aChangeDuringTheFirstComputationWakesTheFollower() async throws {
        let letters = try await LetterService(["old"])
        let view = letters.view()
        let gate = letters.store.hold()
        let begun = turns.start {
            let follower = try await Follower(letters.service, view)
            return await follower.document(saying: "the letter new") != nil
        }
        await gate.isReached()
        letters.store.write(["new"])
        gate.open()
        #expect(try await begun.awaited)
    }

    @Test func noRefreshFailsIfACommitOutdatesManyViewsOfAScreen() async throws {
        let lines = LogLines()
        let letters = try await LetterService(["one"], logger: lines.logger)
        var followers: [Follower] = []
        for number in 1...(Computations.limit + 100) {
            let limit = "\((number - 1) % 1000 + 1)"
            followers.append(try await following(letters, letters.view(["limit": limit], locale: number > 1000 ? .french : .english)))
        }
        let gates = followers.map { _ in letters.store.hold() }
        letters.store.write(["two"])
        for gate in gates { gate.open() }
        for follower in followers { #expect(await follower.document(saying: "the letter two") != nil) }
        #expect(lines.all == [])
    }

    @Test func aViewWhoseFollowersLeaveBeforeItsRefreshTurnIsNotComputed() async throws {
        let letters = try await LetterService(["one"])
        var followers: [Follower] = []
        for number in 1...(RefreshTurns.countLimit + 100) {
            followers.append(try await following(letters, letters.view(["limit": "\(number)"])))
        }
        let gates = followers.map { _ in letters.store.hold() }
        let before = letters.service.metrics.current.computations
        letters.store.write(["two"])
        // Gates are used in reverse order, so the last gates stop the first computations.
        for gate in gates.suffix(RefreshTurns.countLimit) { await gate.isReached() }
        followers.removeAll()
        for gate in gates { gate.open() }
        // This follower joined last, so its turn comes after the turns of all other followers.
        let last = try await following(letters)
        letters.store.write(["three"])
        #expect(await last.document(saying: "the letter three") != nil)
        #expect(letters.service.metrics.current.computations - before < RefreshTurns.countLimit + 100)
    }

    @Test func noComputationFailsIfManyViewsOfAScreenAreFollowedAtOnce() async throws {
        let letters = try await LetterService(["one"])
        let count = Computations.limit + 100
        let gates = (0..<count).map { _ in letters.store.hold() }
        let begun = (0..<count).map { number in
            turns.start { try await letters.service.feeds.follow(letters.view(["q": "\(number)"]), turnTimeout: Self.long) {}.value }
        }
        turns.settle()
        for gate in gates { gate.open() }
        for task in begun { #expect(try await task.awaited.feed.latest != nil) }
    }

    /// Follows as many new views as can be computed at the same time. Their computations wait at gates.
    private func occupyTurns(of letters: LetterService) async throws -> (tasks: [Task<Subscription, any Error>], gates: [Gate]) {
        let gates = (0..<RefreshTurns.firstsLimit).map { _ in letters.store.hold() }
        let tasks = gates.indices.map { number in
            turns.start { try await letters.service.feeds.follow(letters.view(["q": "\(number)"]), turnTimeout: Self.long) {}.value }
        }
        for gate in gates { await gate.isReached() }
        return (tasks, gates)
    }

    @Test func aFollowerStartsWithoutAViewIfItDoesNotReceiveARefreshTurnInTime() async throws {
        let letters = try await LetterService(["one"])
        let (others, gates) = try await occupyTurns(of: letters)
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let view = letters.view()
        let subscription = try await letters.service.feeds.follow(view, turnTimeout: .milliseconds(1)) { wake.yield() }.value
        #expect(subscription.feed.latest == nil)
        guard case .nothing = subscription.news(since: nil, reported: .unknown) else {
            Issue.record("there is news")
            return
        }
        for gate in gates { gate.open() }
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter one") == true)
        for other in others { _ = try await other.awaited }
    }

    @Test func aCancelledFollowerStopsWaitingForItsRefreshTurn() async throws {
        let letters = try await LetterService(["one"])
        let (others, gates) = try await occupyTurns(of: letters)
        let view = letters.view()
        let leaving = turns.start { try await letters.service.feeds.follow(view, turnTimeout: Self.long) {}.value }
        turns.settle()
        leaving.cancel()
        try await leaving.value.cancel()
        for gate in gates { gate.open() }
        for other in others { _ = try await other.awaited }
        _ = try await Follower(letters.service, letters.view(["limit": "2"]))
        #expect(letters.service.metrics.current.computations == others.count + 1)
    }

    @Test func aRequestDoesNotWaitForARefreshTurn() async throws {
        let letters = try await LetterService(["one"])
        let (others, gates) = try await occupyTurns(of: letters)
        let view = letters.view()
        let waiting = turns.start { try await letters.service.feeds.follow(view, turnTimeout: Self.long) {}.value }
        turns.settle()
        let snapshot = try await letters.service.snapshot(of: view).value
        #expect(snapshot.text.contains("the letter one"))
        for gate in gates { gate.open() }
        #expect(try await waiting.awaited.feed.latest?.snapshot === snapshot)
        for other in others { _ = try await other.awaited }
        #expect(letters.service.metrics.current.computations == others.count + 1)
    }

    @Test func aCachedViewIsFollowedWithoutARefreshTurn() async throws {
        let letters = try await LetterService(["one"])
        _ = try await letters.service.snapshot(of: letters.view()).value
        let subscription = try #require(letters.service.follow(letters.view()).immediateValue)
        letters.store.write(["two"])
        let follower = try await Follower(letters.service, letters.view())
        #expect(await follower.document(saying: "the letter two") != nil)
        #expect(letters.service.metrics.current.computations == 2)
        subscription.cancel()
    }

    @Test func aChangeDuringARefreshCausesAnotherRefresh() async throws {
        let letters = try await LetterService(["one"])
        let follower = try await following(letters)
        let gate = letters.store.hold()
        letters.store.write(["two"])
        await gate.isReached()
        letters.store.write(["three"])
        gate.open()
        #expect(await follower.document(saying: "the letter three") != nil)
    }

    @Test func aFollowerCanReadTheNewDocumentWhenItIsWoken() async throws {
        let letters = try await LetterService(Self.many)
        let view = letters.view()
        let version = try await letters.service.snapshot(of: view).value.version
        let subscription = Mutex<Subscription?>(nil)
        let (found, finding) = AsyncStream.makeStream(of: Bool.self)
        let followed = try await letters.service.follow(view) {
            let news = subscription.withLock { $0 }.map { $0.news(since: version, reported: .unknown) }
            if case .document? = news { finding.yield(true) } else { finding.yield(false) }
        }.value
        subscription.withLock { $0 = followed }
        letters.store.write(Self.many.reversed())
        #expect(await found.first { _ in true } == true)
        subscription.withLock { $0 = nil }
        followed.cancel()
    }

    @Test(arguments: [0, 1 << 20])
    func followersOfAViewShareOneComputationOneDiffAndOneDocument(cacheBytes: Int) async throws {
        let letters = try await LetterService(Self.many, cacheBytes: cacheBytes)
        let first = try await following(letters)
        let before = letters.service.metrics.current
        var followers = [first]
        for _ in 0..<50 { followers.append(try await Follower(letters.service, letters.view(), since: first.version)) }
        #expect(letters.service.followedViewCount == 1)
        letters.store.write(Self.many + ["new"])
        let document = try #require(await first.next())
        for follower in followers.dropFirst() { #expect(await follower.next() === document) }
        let after = letters.service.metrics.current
        #expect(after.computations == before.computations + 1)
        #expect(after.diffs == before.diffs + 1)
    }

    @Test func aChangeOfATopicThatTheViewDidNotReadWakesNoFollower() async throws {
        let letters = try await LetterService()
        let (ofA, ofB) = (letters.view(of: "notes", user: "a"), letters.view(of: "notes", user: "b"))
        let (followerA, followerB) = (try await following(letters, ofA), try await following(letters, ofB))
        let before = letters.service.metrics.current.computations
        letters.store.write(["b"], of: "b")
        #expect(await followerB.next() != nil)
        letters.store.write(["a"], of: "a")
        #expect(await followerA.next() != nil)
        #expect(!followerB.hasNews)
        #expect(letters.service.metrics.current.computations == before + 2)
    }

    @Test func aSlowFollowerReceivesOneChangesetToTheNewestVersion() async throws {
        let letters = try await LetterService(Self.many)
        let (slow, quick) = (try await following(letters), try await following(letters))
        let first = try #require(slow.version)
        for count in [5, 9, 14] {
            letters.store.write(Array(Self.many.prefix(count)))
            #expect(await quick.next() != nil)
        }
        let document = try #require(await slow.next())
        #expect(document.text.contains(#""from":"\#(first)","version":"\#(try #require(quick.version))""#))
        #expect(slow.version == quick.version && !slow.hasNews)
    }

    @Test func aFollowerThatJoinsDuringARefreshReceivesNoOlderVersion() async throws {
        let letters = try await LetterService(["one"])
        let view = letters.view()
        let early = try await following(letters)
        // `mine` is the version after the write below. A client that performed this write as an action may already hold the version. The
        // follower `early` has not received the version yet.
        let mine = try await LetterService(["two"]).service.snapshot(of: view).value.version
        let gate = letters.store.hold()
        letters.store.write(["two"])
        await gate.isReached()
        let coming = turns.start { try await Follower(letters.service, view, since: mine).hasNews }
        turns.settle()
        gate.open()
        #expect(try await coming.awaited == false)
        #expect(try #require(await early.next()).version == mine)
    }

    @Test func theResultOfAnEarlierComputationDoesNotReplaceALaterResult() async throws {
        let letters = try await LetterService(["one"])
        let follower = try await following(letters)
        let old = try #require(follower.feed.latest)
        letters.store.write(["two"])
        #expect(await follower.next() != nil)
        follower.feed.publish(old)
        #expect(!follower.hasNews)
    }

    @Test func aRefreshCausedByAnActionRunsOutsideOfTheTaskOfTheAction() async throws {
        let letters = try await LetterService()
        let follower = try await following(letters)
        _ = try await letters.service.perform(.add("n", key: "k"), on: letters.view(["q": "n"]))
        #expect(await follower.document(saying: "the letter n") != nil)
        #expect(letters.store.readsUnderReceipts == 0)
    }
}
