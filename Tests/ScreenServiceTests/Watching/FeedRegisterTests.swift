@testable import ScreenService
import Testing

@Suite("The register of feeds") struct FeedRegisterTests {
    private var register = FeedRegister()
    private let x = Topic("x")
    private let y = Topic("y")
    private let z = Topic("z")

    private func feed() async throws -> ViewFeed {
        let letters = try await LetterService()
        return ViewFeed(letters.view(), source: NoSource())
    }

    @Test mutating func aTopicTakesThoseWhoReadItAndNobodyElse() async throws {
        let (a, b, c) = (try await feed(), try await feed(), try await feed())
        register.add(a, reading: [x])
        register.add(b, reading: [x, y])
        register.add(c, reading: [y])
        #expect(Set(register.takeAll(reading: [x, z]).map(ObjectIdentifier.init)) == [ObjectIdentifier(a), ObjectIdentifier(b)])
        #expect(register.takeAll(reading: [x]).isEmpty)
        #expect(register.takeAll(reading: [y]).map(ObjectIdentifier.init) == [ObjectIdentifier(c)])
        #expect((register.count, register.topicCount) == (0, 0))
    }

    @Test mutating func whatAFeedReadLastCounts() async throws {
        let a = try await feed()
        register.add(a, reading: [x])
        register.add(a, reading: [y])
        #expect((register.count, register.topicCount) == (1, 1))
        #expect(register.takeAll(reading: [x]).isEmpty)
        #expect(register.takeAll(reading: [y]).count == 1)
    }

    @Test mutating func whoIsRemovedLeavesNothing() async throws {
        let (a, b) = (try await feed(), try await feed())
        register.add(a, reading: [x, y])
        register.add(b, reading: [])
        register.remove(a)
        register.remove(a)
        register.remove(b)
        #expect((register.count, register.topicCount) == (0, 0))
    }
}

private struct NoSource: FeedSource {
    func computed(_ view: ScreenView, for feed: ViewFeed) async -> FeedResult { .ended(.gone) }
}
