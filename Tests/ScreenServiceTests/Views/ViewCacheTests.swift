import ScreenModel
@testable import ScreenService
import ScreenWire
import Synchronization
import Testing

@Suite("The view cache") struct ViewCacheTests {
    private let cache = ViewCache(byteLimit: 1 << 20)

    @discardableResult
    private func keep(_ name: String, reading topics: Set<Topic>) -> ComputedView {
        let computed = ComputedView.some(name, reading: topics)
        _ = cache.keep(computed)
        return computed
    }

    @discardableResult
    private func outdate(_ announcement: Announcement, in other: ViewCache? = nil) -> [ComputedView] {
        let outdated = (other ?? cache).outdate(reading: announcement)
        (other ?? cache).discard(outdated)
        return outdated
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
        #expect(Set(outdate(.topics([Topic("x"), Topic("z")])).map(\.view.screen)) == ["a", "b"])
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [false, false, true, true])
        outdate(.topics([Topic("y")]))
        #expect(cache.view(.some("c")) == nil)
        #expect(cache.usage.views == 1)
        keep("a", reading: [Topic("x")])
        outdate(.topics([Topic("y")]))
        #expect(cache.view(.some("a")) != nil)
    }

    @Test func aViewIsDroppedByWhatItReadLastAlone() {
        keep("a", reading: [Topic("x")])
        keep("a", reading: [Topic("y")])
        outdate(.topics([Topic("x")]))
        #expect(cache.view(.some("a")) != nil)
        outdate(.topics([Topic("y")]))
        #expect(cache.view(.some("a")) == nil)
        #expect(cache.usage == (0, ComputedView.some("a").trail.cost))
    }

    @Test func aViewCountsItsTopicsAndTheirPlacesInTheTableOfReaders() {
        let topics = (0..<1000).map { Topic("a topic with a long name, number \($0)") }
        let names = topics.reduce(0) { $0 + $1.name.utf8.count }
        let growth = ComputedView.some("a", reading: Set(topics)).cost - ComputedView.some("a").cost
        #expect((names + 1000 * 150...names + 1000 * 300).contains(growth))
    }

    @Test func viewsAreOutdatedAtOnceAndDiscardedAFewAtATime() {
        let names = (0..<2000).map(String.init)
        let counts = Mutex<Set<Int>>([])
        for name in names {
            cache.retain(.some(name)) { [cache] in _ = counts.withLock { $0.insert(cache.usage.views) } }
            keep(name, reading: [Topic("x")])
        }
        let outdated = cache.outdate(reading: .topics([Topic("x")]))
        #expect(outdated.count == names.count && names.allSatisfy { cache.view(.some($0)) == nil })
        #expect(cache.usage.views == names.count)
        cache.discard(outdated)
        // The functions are called without the lock, after a few views each.
        #expect(counts.withLock { $0.count } > 10 && cache.usage.views == 0)
    }

    @Test func anOutdatedViewThatWasReplacedIsReportedAndItsSuccessorStays() {
        let count = Mutex(0)
        cache.retain(.some("a")) { count.withLock { $0 += 1 } }
        keep("a", reading: [Topic("x")])
        let outdated = cache.outdate(reading: .topics([Topic("x")]))
        let successor = keep("a", reading: [Topic("x")])
        cache.discard(outdated)
        #expect(count.withLock { $0 } == 1 && cache.view(.some("a")) === successor)
        #expect(cache.usage == (1, successor.cost))
    }

    @Test func bytesAreBoundedAndTheLeastUsedGoes() {
        // Costs of equal views may differ by a few bytes, as an array takes what the allocator gives.
        let views = ["a", "b", "c", "d"].map { ComputedView.some($0, reading: [Topic("x")]) }
        let costs = views.map(\.cost)
        let limit = max(costs[0] + costs[1] + costs[2], costs[0] + costs[2] + costs[3])
        let cache = ViewCache(byteLimit: limit)
        func keep(_ view: ComputedView) { _ = cache.keep(view) }
        for view in views[..<3] { keep(view) }
        _ = cache.view(.some("a"))
        keep(views[3])
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [true, false, true, true])
        #expect(cache.usage == (3, costs[0] + costs[2] + costs[3]))
        let growth = 1 + limit - cache.usage.bytes
        views[3].snapshot.grow(by: growth)
        #expect(cache.usage == (2, costs[2] + costs[3] + growth))
        // What is larger than all that there is room for goes alone.
        views[3].snapshot.grow(by: limit)
        #expect(cache.usage == (1, costs[2]))
    }

    @Test func whatIsNotKeptAnyMoreMayGrow() throws {
        let computed = keep("a", reading: [Topic("x")])
        outdate(.topics([Topic("x")]))
        let bytes = cache.usage.bytes
        computed.snapshot.grow(by: 1000)
        #expect(cache.usage == (0, bytes))
    }

    @Test func whatIsOutdatedLeavesItsVersionAndTheOneBefore() throws {
        let first = keep("a", reading: [Topic("x")])
        #expect(cache.trail(of: .some("a"))?.newest.version == first.rendered.version)
        outdate(.topics([Topic("x")]))
        let second = ComputedView.some("a", title: "Second", after: cache.trail(of: .some("a")), reading: [Topic("x")])
        _ = cache.keep(second)
        #expect(second.previous?.version == first.rendered.version)
        outdate(.topics([Topic("x")]))
        let trail = try #require(cache.trail(of: .some("a")))
        #expect(trail.newest.version == second.rendered.version && trail.before?.version == first.rendered.version)
        // Computed anew and the same, it is not its own predecessor.
        #expect(ComputedView.some("a", title: "Second", after: trail).previous?.version == first.rendered.version)
    }

    @Test func whatIsFollowedStaysAndCounts() {
        // Costs of equal views may differ by a few bytes.
        let views = ["a", "b", "c", "d"].map { ComputedView.some($0, reading: [Topic($0)]) }
        let costs = views.map(\.cost)
        let cache = ViewCache(byteLimit: max(costs[0], costs[2]) + costs[1])
        func keep(_ view: ComputedView) { _ = cache.keep(view) }
        for name in ["a", "b"] { cache.retain(.some(name)) }
        for view in views { keep(view) }
        #expect(["a", "b", "c", "d"].map { cache.view(.some($0)) != nil } == [true, true, false, false])
        #expect(cache.usage == (2, costs[0] + costs[1]))
        outdate(.topics([Topic("a")]), in: cache)
        #expect(cache.trail(of: .some("a")) != nil)
        _ = cache.release(.some("a"))
        keep(views[2])
        #expect(["b", "c"].map { cache.view(.some($0)) != nil } == [true, true])
        #expect(cache.trail(of: .some("a")) == nil)
    }

    /// Its refresh may fail for long, and answers are made of it meanwhile.
    @Test func whatGrowsWhileItIsFollowedCountsAlsoWhereItIsOutdated() {
        cache.retain(.some("a"))
        let computed = keep("a", reading: [Topic("x")])
        outdate(.topics([Topic("x")]))
        computed.snapshot.grow(by: 5000)
        #expect(cache.usage == (0, computed.cost))
        _ = cache.release(.some("a"))
        computed.snapshot.grow(by: 5000)
        #expect(cache.usage == (0, computed.trail.cost))
    }

    @Test func whatWasLetGoDoesNotCountWhereItIsFollowedOnlyThen() {
        let computed = keep("a", reading: [Topic("x")])
        outdate(.topics([Topic("x")]))
        cache.retain(.some("a"))
        computed.snapshot.grow(by: 5000)
        #expect(cache.usage == (0, computed.trail.cost))
    }

    @Test func answersOfFollowedViewsAreDiscardedBeyondTheirBytes() {
        let views = ["a", "b"].map { ComputedView.some($0, reading: [Topic("x")]) }
        let limit = views[0].cost + views[1].cost + 6000
        let cache = ViewCache(byteLimit: 1 << 20, followedByteLimit: limit)
        for view in views {
            cache.retain(view.view)
            _ = cache.keep(view)
        }
        for number in 0..<UInt64(100) {
            for view in views {
                _ = view.keep([UInt8](repeating: 1, count: 1000), .changeset, for: .version(Version(high: number, low: 0)))
                view.snapshot.grow(by: 500)
                #expect(cache.followedBytes <= limit && cache.usage == (2, cache.followedBytes))
            }
        }
        #expect(cache.followedBytes == views[0].cost + views[1].cost)
        for view in views { _ = cache.release(view.view) }
        #expect(cache.followedBytes == 0)
    }

    /// What a screen puts into its model may ask for anything as it goes.
    @Test func whatIsLetGoGoesOutsideTheLock() {
        let cache = ViewCache(byteLimit: 1 << 20)
        let parted = Atomic(0)
        cache.retain(.some("a"))
        let letGo = {
            let model = TableViewModel<Never, Parting>(cells: [Parting { parted.store(cache.usage.views + 1, ordering: .relaxed) }])
            _ = cache.keep(.some("a", of: model, reading: [Topic("x")]))
            outdate(.topics([Topic("x")]), in: cache)
        }
        letGo()
        #expect(parted.load(ordering: .relaxed) == 0)
        _ = cache.release(.some("a"))
        #expect(parted.load(ordering: .relaxed) == 1)
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

    @Test func aDocumentWhoseFormIsDiscardedCountsWithoutIt() {
        final class Form: Sendable {}
        let growth = Growth()
        let document = Document(.snapshot, bytes: [1], version: "", locale: .english, growth: growth)
        let bytes = growth.bytes
        let form = document.attachment { _ in Form() }
        document.grow(by: 1000)
        document.discardAttachment()
        #expect(growth.bytes == bytes)
        #expect(document.attachment { _ in Form() } !== form)
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
        ScreenView(screen: name, audience: .everyone, revision: 1, locale: .english, parameters: [])
    }
}

/// A cell that tells when it goes.
private final class Parting: CellContent {
    let id = "parting"
    let part: @Sendable () -> Void

    init(_ part: @escaping @Sendable () -> Void) {
        self.part = part
    }

    deinit { part() }

    static func fields(_ field: inout some FieldVisitor<Parting>) {}
}

extension ComputedView {
    fileprivate static func some(
        _ name: String, title: String = "Letters", after trail: VersionTrail? = nil, reading topics: Set<Topic> = []
    ) -> ComputedView {
        some(name, of: List(title: title).table.model, title: title, after: trail, reading: topics)
    }

    fileprivate static func some(
        _ name: String, of model: some RenderableModel, title: String = "Letters", after trail: VersionTrail? = nil,
        reading topics: Set<Topic> = []
    ) -> ComputedView {
        let rendered = SnapshotWriter.render(ScreenContent(title: title, model: model), of: "letters", hash: .fixed)
        return ComputedView(
            view: .some(name), hash: .fixed, rendered: rendered, model: model,
            outline: EncodedOutline(outline: rendered.outline, title: rendered.title), following: trail, topics: topics,
            generation: 0
        )
    }
}
