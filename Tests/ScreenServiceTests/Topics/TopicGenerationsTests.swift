@testable import ScreenService
import Testing

@Suite("Generations of topics") struct TopicGenerationsTests {
    private let a = Topic("a")
    private let b = Topic("b")

    @Test func whatWasAnnouncedSinceAComputationBeganHasAdvanced() {
        var generations = TopicGenerations()
        let began = generations.begin()
        #expect(!generations.hasAdvanced(anyOf: [a, b], since: began))
        generations.advance(.topics([a]))
        #expect(generations.hasAdvanced(anyOf: [a], since: began))
        #expect(generations.hasAdvanced(anyOf: [b, a], since: began))
        #expect(!generations.hasAdvanced(anyOf: [b], since: began))
        #expect(!generations.hasAdvanced(anyOf: [], since: began))
        #expect(generations.now == began + 1)
    }

    @Test func whatWasAnnouncedBeforeCountsForNothing() {
        var generations = TopicGenerations()
        let first = generations.begin()
        generations.advance(.topics([a]))
        let second = generations.begin()
        #expect(second > first)
        #expect(!generations.hasAdvanced(anyOf: [a], since: second))
        #expect(generations.hasAdvanced(anyOf: [a], since: first))
    }

    @Test func announcementsAreRememberedUntilAllComputationsHaveEnded() {
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

    @Test func whatNobodyAsksAboutAnyMoreIsLetGoOfThoughThereIsAlwaysOneUnderWay() {
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

    @Test func generationsGoOnWhileNothingIsComputed() {
        var generations = TopicGenerations()
        generations.advance(.topics([a]))
        generations.advance(.topics([b]))
        #expect(generations.now == 2)
        #expect(generations.begin() == 2)
    }
}
