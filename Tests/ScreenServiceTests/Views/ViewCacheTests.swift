@testable import ScreenService
import ScreenWire
import Testing

@Suite("The view cache") struct ViewCacheTests {
    private let cache = ViewCache(byteLimit: 1 << 20)

    @discardableResult
    private func keep(_ name: String, reading topics: Set<Topic>) -> ComputedView {
        let computed = ComputedView.some(name, reading: topics, generation: cache.beginComputation())
        #expect(cache.endComputation(computed))
        return computed
    }

    @Test func whatWasComputedIsKept() {
        let computed = keep("a", reading: [Topic("x")])
        #expect(cache.view(.some("a")) === computed)
        #expect(cache.view(.some("b")) == nil)
        #expect(cache.usage == (1, computed.cost))
    }

    @Test func anAnnouncementDropsWhoReadTheTopicAndNobodyElse() {
        keep("a", reading: [Topic("x")])
        keep("b", reading: [Topic("x"), Topic("y")])
        keep("c", reading: [Topic("y")])
        keep("d", reading: [])
        cache.announce([Topic("x"), Topic("z")])
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [false, false, true, true])
        cache.announce([Topic("y")])
        #expect(cache.view(.some("c")) == nil)
        #expect(cache.usage.views == 1)
        keep("a", reading: [Topic("x")])
        cache.announce([Topic("y")])
        #expect(cache.view(.some("a")) != nil)
    }

    @Test func aViewIsDroppedByWhatItReadLastAlone() {
        keep("a", reading: [Topic("x")])
        keep("a", reading: [Topic("y")])
        cache.announce([Topic("x")])
        #expect(cache.view(.some("a")) != nil)
        cache.announce([Topic("y")])
        #expect(cache.view(.some("a")) == nil)
        #expect(cache.usage == (0, 0))
    }

    @Test func aResultWhoseTopicWasAnnouncedMeanwhileIsNotKept() {
        let earlier = keep("a", reading: [Topic("x")])
        let generation = cache.beginComputation()
        cache.announce([Topic("y")])
        let isKept = cache.endComputation(.some("a", reading: [Topic("x"), Topic("y")], generation: generation))
        #expect(!isKept)
        #expect(cache.view(.some("a")) === earlier)
        let next = cache.beginComputation()
        cache.announce([Topic("z")])
        #expect(cache.endComputation(.some("a", reading: [Topic("x"), Topic("y")], generation: next)))
    }

    @Test func anAnnouncementBeforeAComputationBeganLeavesItsResultCurrent() {
        let other = cache.beginComputation()
        cache.announce([Topic("x")])
        keep("a", reading: [Topic("x")])
        let isKept = cache.endComputation(.some("b", reading: [Topic("x")], generation: other))
        #expect(!isKept)
        #expect(cache.view(.some("a")) != nil)
    }

    @Test func aFailedComputationKeepsNothingAndForgetsItsGeneration() {
        let generation = cache.beginComputation()
        cache.announce([Topic("x")])
        let isKept = cache.endComputation(nil)
        #expect(!isKept)
        #expect(cache.usage == (0, 0))
        #expect(generation + 1 == cache.generation)
        keep("a", reading: [Topic("x")])
        #expect(cache.view(.some("a")) != nil)
    }

    @Test func bytesAreBoundedAndTheLeastUsedGoes() {
        let cost = ComputedView.some("a", reading: [], generation: 0).cost
        let cache = ViewCache(byteLimit: 3 * cost)
        func keep(_ name: String) { cache.endComputation(.some(name, reading: [Topic("x")], generation: cache.beginComputation())) }
        for name in ["a", "b", "c"] { keep(name) }
        _ = cache.view(.some("a"))
        keep("d")
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [true, false, true, true])
        #expect(cache.usage == (3, 3 * cost))
        cache.add(cost: 1, to: .some("d"))
        #expect(cache.usage == (2, 2 * cost + 1))
        cache.add(cost: 3 * cost, to: .some("d"))
        #expect(cache.usage == (0, 0))
        cache.announce([Topic("x")])
        cache.add(cost: 5, to: .some("d"))
        #expect(cache.usage == (0, 0))
    }

    @Test func theFirstOfTwoAnswersIsKept() {
        let computed = ComputedView.some("a", reading: [], generation: 0)
        let (first, cost) = computed.keep([1, 2, 3], .snapshot, for: .reason(.initial))
        let (second, nothing) = computed.keep([4], .snapshot, for: .reason(.initial))
        #expect(first === second && cost > 3 && nothing == 0)
        #expect(computed.answer(to: .reason(.initial)) === first)
        #expect(computed.answer(to: .reason(.smaller)) == nil)
    }

    @Test func aDocumentKeepsTheFormThatTheTransportGaveIt() {
        final class Form: Sendable {}
        let document = Document(.snapshot, bytes: [], version: "", locale: .english)
        let form = document.form { _ in Form() }
        #expect(document.form { _ in Form() } === form)
    }
}

extension ScreenView {
    fileprivate static func some(_ name: String) -> ScreenView {
        ScreenView(screen: name, audience: .everyone, locale: .english, parameters: [])
    }
}

extension ComputedView {
    fileprivate static func some(_ name: String, reading topics: Set<Topic>, generation: TopicGenerations.Generation) -> ComputedView {
        ComputedView(view: .some(name), rendered: List().renderedTable(), topics: topics, generation: generation)
    }
}
