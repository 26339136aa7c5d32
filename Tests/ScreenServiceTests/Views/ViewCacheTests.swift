@testable import ScreenService
import ScreenWire
import Testing

@Suite("The view cache") struct ViewCacheTests {
    private let cache = ViewCache(byteLimit: 1 << 20)

    @discardableResult
    private func keep(_ name: String, reading topics: Set<Topic>) -> ComputedView {
        let computed = ComputedView.some(name, reading: topics)
        _ = cache.keep(computed)
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
        #expect(Set(cache.outdate(reading: [Topic("x"), Topic("z")]).map(\.view.screen)) == ["a", "b"])
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [false, false, true, true])
        _ = cache.outdate(reading: [Topic("y")])
        #expect(cache.view(.some("c")) == nil)
        #expect(cache.usage.views == 1)
        keep("a", reading: [Topic("x")])
        _ = cache.outdate(reading: [Topic("y")])
        #expect(cache.view(.some("a")) != nil)
    }

    @Test func aViewIsDroppedByWhatItReadLastAlone() {
        keep("a", reading: [Topic("x")])
        keep("a", reading: [Topic("y")])
        _ = cache.outdate(reading: [Topic("x")])
        #expect(cache.view(.some("a")) != nil)
        _ = cache.outdate(reading: [Topic("y")])
        #expect(cache.view(.some("a")) == nil)
        #expect(cache.usage == (0, ComputedView.some("a").trail.cost))
    }

    @Test func bytesAreBoundedAndTheLeastUsedGoes() {
        let cost = ComputedView.some("a", reading: []).cost
        let cache = ViewCache(byteLimit: 3 * cost)
        func keep(_ name: String) {
            _ = cache.keep(.some(name, reading: [Topic("x")]))
        }
        for name in ["a", "b", "c"] { keep(name) }
        _ = cache.view(.some("a"))
        keep("d")
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [true, false, true, true])
        #expect(cache.usage == (3, 3 * cost))
        cache.view(.some("d"))?.snapshot.grow(by: 1)
        #expect(cache.usage == (2, 2 * cost + 1))
        // What is larger than all that there is room for goes alone.
        cache.view(.some("d"))?.snapshot.grow(by: 3 * cost)
        #expect(cache.usage == (1, cost))
    }

    @Test func whatIsNotKeptAnyMoreMayGrow() throws {
        let computed = keep("a", reading: [Topic("x")])
        _ = cache.outdate(reading: [Topic("x")])
        let bytes = cache.usage.bytes
        computed.snapshot.grow(by: 1000)
        #expect(cache.usage == (0, bytes))
    }

    @Test func whatIsOutdatedLeavesItsVersionAndTheOneBefore() throws {
        let first = keep("a", reading: [Topic("x")])
        #expect(cache.trail(of: .some("a"))?.newest.version == first.rendered.version)
        _ = cache.outdate(reading: [Topic("x")])
        let second = ComputedView.some("a", title: "Second", after: cache.trail(of: .some("a")), reading: [Topic("x")])
        _ = cache.keep(second)
        #expect(second.previous?.version == first.rendered.version)
        _ = cache.outdate(reading: [Topic("x")])
        let trail = try #require(cache.trail(of: .some("a")))
        #expect(trail.newest.version == second.rendered.version && trail.before?.version == first.rendered.version)
        // Computed anew and the same, it is not its own predecessor.
        #expect(ComputedView.some("a", title: "Second", after: trail).previous?.version == first.rendered.version)
    }

    @Test func whatIsFollowedStaysAndCounts() {
        let cost = ComputedView.some("a").cost
        let cache = ViewCache(byteLimit: 2 * cost)
        func keep(_ name: String) {
            _ = cache.keep(.some(name, reading: [Topic(name)]))
        }
        for name in ["a", "a", "b"] { cache.retain(.some(name)) }
        for name in ["a", "b", "c", "d"] { keep(name) }
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [true, true, false, false])
        #expect(cache.usage == (2, 2 * cost))
        cache.release(.some("a"))
        keep("c")
        #expect(["a", "b", "c"].map { cache.view(.some($0)) != nil } == [true, true, false])
        _ = cache.outdate(reading: [Topic("a")])
        #expect(cache.trail(of: .some("a")) != nil)
        cache.release(.some("a"))
        keep("c")
        #expect(["b", "c"].map { cache.view(.some($0)) != nil } == [true, true])
        #expect(cache.trail(of: .some("a")) == nil)
    }

    @Test func theFirstOfTwoAnswersIsKept() {
        let computed = ComputedView.some("a")
        let first = computed.keep([1, 2, 3], .snapshot, for: .noVersion(.initial))
        let bytes = computed.growth.bytes
        let second = computed.keep([4], .snapshot, for: .noVersion(.initial))
        #expect(first === second && computed.growth.bytes == bytes)
        #expect(computed.answer(to: .noVersion(.initial)) === first)
        #expect(computed.answer(to: .noVersion(.smaller)) == nil)
    }

    @Test func answersThatNobodyAsksForAnyMoreAreLetGoAndNoLongerCount() {
        let computed = ComputedView.some("a")
        let before = computed.cost
        weak var first: Document?
        for number in 0..<UInt64(1000) {
            let document = computed.keep([UInt8](repeating: 1, count: 1000), .changeset, for: .version(Version(high: number, low: 0)))
            if number == 0 { first = document }
        }
        #expect(first == nil)
        #expect(computed.answer(to: .version(Version(high: 999, low: 0))) != nil)
        #expect(computed.cost - before <= 1 << 17)
    }

    @Test func aDocumentKeepsTheFormThatTheTransportGaveIt() {
        final class Form: Sendable {}
        let document = Document(.snapshot, bytes: [], version: "", locale: .english, growth: Growth())
        let form = document.attachment { _ in Form() }
        #expect(document.attachment { _ in Form() } === form)
    }

    @Test func aDocumentCountsForAsLongAsItIsThere() {
        let growth = Growth()
        var document: Document? = Document(.changeset, bytes: [1, 2, 3], version: "", locale: .english, growth: growth)
        let bytes = growth.bytes
        document?.grow(by: 1000)
        #expect(bytes >= 3 && growth.bytes == bytes + 1000)
        document = nil
        #expect(growth.bytes == 0)
    }
}

extension ScreenView {
    fileprivate static func some(_ name: String) -> ScreenView {
        ScreenView(screen: name, audience: .everyone, locale: .english, parameters: [])
    }
}

extension ComputedView {
    fileprivate static func some(
        _ name: String, title: String = "Letters", after trail: VersionTrail? = nil, reading topics: Set<Topic> = []
    ) -> ComputedView {
        ComputedView(
            view: .some(name), hash: .fixed, rendered: List(title: title).renderedTable(), following: trail, topics: topics,
            generation: 0
        )
    }
}
