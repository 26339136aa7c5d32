import Synchronization
import Testing

@testable import ScreenService

@Suite("Topics") struct TopicsTests {
    private let topics = Topics()
    private let a = Topic("a")
    private let b = Topic("b")

    @Test func aReadIsCurrentUntilItsTopicIsAnnounced() {
        let generation = topics.beginComputation()
        defer { topics.endComputation(begunIn: generation) }
        topics.announce([b])
        #expect(topics.ifUnchanged([a], since: generation) { "kept" } == "kept")
        topics.announce([a])
        #expect(topics.ifUnchanged([a, b], since: generation) { "kept" } == nil)
        #expect(topics.generation == generation + 2)
    }

    @Test func anObserverIsCalledForEachAnnouncementUntilItIsRemoved() {
        let announcements = Mutex<[Set<Topic>]>([])
        let id = topics.observe { announced in
            announcements.withLock { $0.append(announced.topics) }
            return nil
        }
        topics.announce([a, b])
        topics.announce([a])
        topics.endObserving(id)
        topics.announce([b])
        #expect(announcements.withLock { $0 } == [[a, b], [a]])
    }

    @Test func theFunctionReturnedByAnObserverCanReadTheCurrentGeneration() {
        let seen = Mutex<[Topics.Generation]>([])
        _ = topics.observe { [topics] _ in { seen.withLock { $0.append(topics.generation) } } }
        topics.announce([a])
        #expect(seen.withLock { $0 } == [1])
    }

    @Test func readsInAComputationAndInItsChildTasksAreRecorded() async throws {
        #expect(topics.recorder == nil)
        let (value, reads) = try await topics.recordingReads {
            topics.recorder?.record(a)
            async let child: Void? = topics.recorder?.record(b)
            _ = await child
            return 1
        }
        #expect(value == 1 && reads == [a, b])
        #expect(topics.recorder == nil)
    }

    @Test func aScreenIsNotServedIfItsStoreDoesNotUseTheTopicsOfTheService() async throws {
        let letters = LetterStore(["a"], announcingTo: Topics())
        let service = try await ScreenService(
            catalog: try ScreenCatalog([Letters(store: letters)]), store: ServiceStoreInMemory(), logger: .silent
        )
        let view = try service.catalog.view(of: "letters", parameters: [], locale: .english, caller: .user("u"))
        await #expect(throws: TopicsMismatch()) { try await service.snapshot(of: view).value }
    }

    @Test func aReleasedServiceStopsObservingTopics() async throws {
        let store = TestStore()
        weak var cache: ViewCache?
        do {
            let service = try await ScreenService(catalog: try ScreenCatalog([]), store: store, logger: .silent)
            cache = service.cache
            #expect(cache != nil)
        }
        #expect(cache == nil)
        store.topics.announce([a])
    }
}
