import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

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

    @Test func anAnnouncementOutdatesOnlyTheViewsThatReadItsTopics() {
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

    @Test func aViewIsOutdatedOnlyByTheTopicsOfItsLastComputation() {
        keep("a", reading: [Topic("x")])
        keep("a", reading: [Topic("y")])
        outdate(.topics([Topic("x")]))
        #expect(cache.view(.some("a")) != nil)
        outdate(.topics([Topic("y")]))
        #expect(cache.view(.some("a")) == nil)
        #expect(cache.usage == (0, ComputedView.some("a").trail.cost))
    }

    @Test func theCostOfAViewIncludesTheCostOfItsTopics() {
        let topics = (0..<1000).map { Topic("a topic with a long name, number \($0)") }
        let names = topics.reduce(0) { $0 + $1.name.utf8.count }
        let growth = ComputedView.some("a", reading: Set(topics)).cost - ComputedView.some("a").cost
        #expect((names + 1000 * 150...names + 1000 * 300).contains(growth))
    }

    @Test func viewsOutdatedByTheSameAnnouncementAreDiscardedOneAtATime() {
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
        // Each function that was passed to `retain` has recorded a number of views. The numbers differ, because the cache discards one view
        // at a time, and does not hold its lock while it calls a function.
        #expect(counts.withLock { $0.count } > 10 && cache.usage.views == 0)
    }

    @Test func aDiscardedViewWithManyTopicsIsReleased() {
        weak var released: ComputedView?
        do {
            let computed = keep("a", reading: Set((0..<300).map { Topic("\($0)") }))
            released = computed
            outdate(.topics([Topic("7")]))
        }
        #expect(released == nil)
    }

    @Test func discardingAnOutdatedViewKeepsTheViewThatReplacedIt() {
        let count = Mutex(0)
        cache.retain(.some("a")) { count.withLock { $0 += 1 } }
        keep("a", reading: [Topic("x")])
        let outdated = cache.outdate(reading: .topics([Topic("x")]))
        let successor = keep("a", reading: [Topic("x")])
        cache.discard(outdated)
        #expect(count.withLock { $0 } == 1 && cache.view(.some("a")) === successor)
        #expect(cache.usage == (1, successor.cost))
    }

    @Test func theLeastRecentlyUsedViewIsEvictedAtTheByteLimit() {
        // The costs of equal views can differ by a few bytes, because the allocator determines the capacity of an array.
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
    }

    @Test func theCacheRetainsTheLastTwoVersionsOfAnOutdatedView() throws {
        let first = keep("a", reading: [Topic("x")])
        #expect(cache.trail(of: .some("a"))?.newest.version == first.rendered.version)
        outdate(.topics([Topic("x")]))
        let second = ComputedView.some("a", title: "Second", after: cache.trail(of: .some("a")), reading: [Topic("x")])
        _ = cache.keep(second)
        #expect(second.previous?.version == first.rendered.version)
        outdate(.topics([Topic("x")]))
        let trail = try #require(cache.trail(of: .some("a")))
        #expect(trail.newest.version == second.rendered.version && trail.before?.version == first.rendered.version)
        // The view is computed once more, with the same content, so its version is still the second version. Its previous version remains
        // the first version.
        #expect(ComputedView.some("a", title: "Second", after: trail).previous?.version == first.rendered.version)
    }

    /// The refresh of an outdated view can fail for a long time. During this time, the view still uses memory.
    @Test func anOutdatedFollowedViewIsCountedTowardsTheByteLimitOfTheCache() {
        cache.retain(.some("a"))
        let computed = keep("a", reading: [Topic("x")])
        outdate(.topics([Topic("x")]))
        #expect(cache.usage == (0, computed.cost) && cache.followedBytes == computed.cost)
        _ = cache.release(.some("a"))
        #expect(cache.usage == (0, computed.trail.cost) && cache.followedBytes == 0)
    }

    @Test func aFollowedViewCountsTowardsTheByteLimitAndIsNotEvicted() {
        // The costs of equal views can differ by a few bytes.
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

    /// A deinitializer of an object in a model may use the cache. If the cache held its lock while it releases a model, the deinitializer
    /// would wait forever.
    @Test func theCacheReleasesModelsWithoutHoldingItsLock() {
        let cache = ViewCache(byteLimit: 1 << 20)
        let released = Atomic(0)
        cache.retain(.some("a"))
        let replace = {
            let cell = ReleaseObserver { released.store(cache.usage.views + 1, ordering: .relaxed) }
            let model = TableViewModel<Never, ReleaseObserver>(cells: [cell])
            _ = cache.keep(.some("a", of: model, reading: [Topic("x")]))
            outdate(.topics([Topic("x")]), in: cache)
        }
        replace()
        #expect(released.load(ordering: .relaxed) == 0)
        _ = cache.release(.some("a"))
        #expect(released.load(ordering: .relaxed) == 1)
    }

    @Test func requestingAnAttachmentOfADocumentTwiceReturnsTheSameObject() {
        final class Form: Sendable {}
        let document = Document(.snapshot, bytes: [], version: "", locale: .english)
        let form = document.attachment { _ in Form() }
        #expect(document.attachment { _ in Form() } === form)
    }
}

extension ScreenView {
    static func some(_ name: String) -> ScreenView {
        ScreenView(screen: name, audience: .everyone, revision: 1, locale: .english, parameters: [])
    }
}

/// A cell that calls a function when it is released.
private final class ReleaseObserver: CellContent {
    let id = "observer"
    let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    static func fields(_ field: inout some FieldVisitor<ReleaseObserver>) {}
}

extension ComputedView {
    static func some(
        _ name: String, title: String = "Letters", after trail: VersionTrail? = nil, reading topics: Set<Topic> = [],
        in documents: DerivedDocuments = DerivedDocuments(byteLimit: 1 << 20)
    ) -> ComputedView {
        some(name, of: List(title: title).table.model, title: title, after: trail, reading: topics, in: documents)
    }

    fileprivate static func some(
        _ name: String, of model: some RenderableModel, title: String = "Letters", after trail: VersionTrail? = nil,
        reading topics: Set<Topic> = [], in documents: DerivedDocuments = DerivedDocuments(byteLimit: 1 << 20)
    ) -> ComputedView {
        let rendered = SnapshotWriter.render(ScreenContent(title: title, model: model), of: "letters", hash: .fixed)
        return ComputedView(
            view: .some(name), hash: .fixed, rendered: rendered, model: model, title: title,
            outline: EncodedOutline(outline: rendered.outline, title: rendered.title), following: trail,
            origin: ComputedView.Origin(topics: topics, generation: 0), documents: documents
        )
    }
}
