import Testing

@testable import ScreenService

@Suite("Generations of topics") struct TopicGenerationsTests {
    private let a = Topic("a")
    private let b = Topic("b")

    @Test func anAnnouncementOutdatesOnlyComputationsThatBeganBeforeIt() {
        var generations = TopicGenerations()
        let first = generations.begin()
        #expect(!generations.hasAdvanced(anyOf: [a, b], since: first))
        generations.advance(.topics([a]))
        for topics in [[a], [b, a]] as [Set<Topic>] { #expect(generations.hasAdvanced(anyOf: topics, since: first)) }
        for topics in [[b], []] as [Set<Topic>] { #expect(!generations.hasAdvanced(anyOf: topics, since: first)) }
        let second = generations.begin()
        #expect(second == first + 1)
        #expect(!generations.hasAdvanced(anyOf: [a], since: second))
        generations.advance(.everything)
        for topics in [[a], []] as [Set<Topic>] { #expect(generations.hasAdvanced(anyOf: topics, since: second)) }
    }

    @Test func anAnnouncementIsStoredUntilAllEarlierComputationsHaveEnded() {
        var generations = TopicGenerations()
        let first = generations.begin()
        generations.advance(.topics([a]))
        let second = generations.begin()
        generations.end(second)
        #expect(generations.hasAdvanced(anyOf: [a], since: first))
        generations.end(first)
        let third = generations.begin()
        #expect(!generations.hasAdvanced(anyOf: [a], since: third))
    }

    @Test func oldAnnouncementsAreRemovedEvenIfAComputationIsAlwaysRunning() {
        var generations = TopicGenerations()
        var running = generations.begin()
        for number in 0..<100_000 {
            generations.advance(.topics([Topic("\(number)")]))
            let next = generations.begin()
            generations.end(running)
            #expect(!generations.hasAdvanced(anyOf: [Topic("\(number)")], since: next))
            running = next
        }
        #expect(generations.rememberedCount <= 2048)
        generations.advance(.topics([a]))
        #expect(generations.hasAdvanced(anyOf: [a], since: running))
    }

    @Test func anAnnouncementAdvancesTheGenerationEvenIfNoComputationIsRunning() {
        var generations = TopicGenerations()
        generations.advance(.topics([a]))
        generations.advance(.topics([b]))
        #expect(generations.now == 2)
        #expect(generations.begin() == 2)
    }
}
