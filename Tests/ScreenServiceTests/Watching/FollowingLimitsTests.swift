import Testing

@testable import ScreenService

@Suite("Following within limits", .timeLimit(.minutes(1))) struct FollowingLimitsTests {
    private static let (ada, bea) = (LimitKey.user("ada"), LimitKey.user("bea"))
    private static let many = (1...20).map { "c\($0)" }

    /// Returns the number of bytes that are counted for a followed view with these letters.
    private func bytes(of letters: [String], limit: Int = 100) async throws -> Int {
        let letters = try await LetterService(letters)
        let view = letters.view(["limit": "\(limit)"])
        _ = try await letters.service.snapshot(of: view).value
        return try #require(letters.service.cache.lastComputed(view)).followedCost
    }

    @Test func aCallerAtItsLimitIsRejectedBeforeTheViewIsComputed() async throws {
        let letters = try await LetterService(following: FollowingBounds(views: 4, callerShare: 50))
        let views = (1...3).map { letters.view(["limit": "\($0)"]) }
        var held: [Subscription] = []
        for view in views[..<2] { held.append(try await letters.service.follow(view, for: Self.ada).value) }
        let before = letters.service.metrics.current.computations
        await #expect(throws: FollowingFault.callerLimitReached) { try await letters.service.follow(views[2], for: Self.ada).value }
        await #expect(throws: FollowingFault.callerLimitReached) {
            try await letters.service.changes(of: views[2], from: nil, waiting: .seconds(3600), for: Self.ada)
        }
        #expect(letters.service.metrics.current.computations == before)
        held.append(try await letters.service.follow(views[1], for: Self.ada).value)
        held.append(try await letters.service.follow(views[2], for: Self.bea).value)
        #expect(letters.service.followedViewCount == 3)
        held.removeAll()
        #expect(letters.service.followedViewCount == 0 && letters.service.followedViewBytes == 0)
    }

    @Test func aViewThatIsTooLargeIsNotFollowedAndIsComputedOnce() async throws {
        let bytes = try await self.bytes(of: Self.many)
        let letters = try await LetterService(Self.many, following: FollowingBounds(bytes: bytes, callerShare: 100))
        // The first two callers follow the view before its size is known.
        let first = (0..<2).map { _ in letters.service.follow(letters.view(), for: Self.ada) }
        for follow in first {
            await #expect(throws: FollowingFault.callerLimitReached) { try await follow.value }
        }
        await #expect(throws: FollowingFault.callerLimitReached) { try await letters.service.follow(letters.view(), for: Self.ada).value }
        #expect(letters.service.followedViewCount == 0 && letters.service.followedViewBytes == 0)
        #expect(letters.service.metrics.current.computations == 1)
    }

    @Test func theSubscriptionsOfCallersAboveTheirLimitEndIfAViewGrowsTooLarge() async throws {
        let grown = (1...800).map { "c\($0)" }
        let bytes = try await self.bytes(of: grown, limit: 1000)
        // With this bound, the followed views of one caller may use at most 1.5 times `bytes`. Each view grows to about `bytes`, so a
        // caller with two views exceeds this limit.
        let bound = 4 * bytes
        let letters = try await LetterService(Self.many, following: FollowingBounds(bytes: bound, callerShare: 50))
        let views = ["900", "1000"].map { letters.view(["limit": $0]) }
        let ofAda = try await views.asyncMap { try await letters.service.follow($0, for: Self.ada).value }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let ofBea = try await letters.service.follow(views[0], for: Self.bea) { wake.yield() }.value
        letters.store.write(grown)
        _ = await wakes.first { true }
        while ofAda.allSatisfy({ !$0.hasEnded }) { await Task.yield() }
        #expect(!ofBea.hasEnded)
        #expect(letters.service.followedViewBytes <= bound)
        for subscription in ofAda + [ofBea] { subscription.cancel() }
        #expect(letters.service.followedViewCount == 0 && letters.service.followedViewBytes == 0)
    }

    @Test func aWaitingRequestReceivesItsResponseWhenTheViewGrowsTooLarge() async throws {
        let bytes = try await self.bytes(of: Self.many)
        let letters = try await LetterService(Self.many, following: FollowingBounds(bytes: 3 * bytes, callerShare: 100))
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        let turns = Turns()
        let waiting = turns.start {
            try await letters.service.changes(of: letters.view(), from: old, waiting: .seconds(3600), for: Self.ada)
        }
        turns.settle()
        #expect(letters.service.followedViewCount == 1)
        letters.store.write((1...100).map { "c\($0)" })
        #expect(try await waiting.awaited.text.contains("the letter c100"))
        #expect(letters.service.followedViewCount == 0)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
