import Dispatch
import ScreenModel
@testable import ScreenService
import Synchronization
import Testing

@Suite("The threads for refreshes", .timeLimit(.minutes(1))) struct RefreshExecutorTests {
    @Test func refreshesOfAllScreensLeaveAProcessorToRequests() async throws {
        let store = ServiceStoreInMemory()
        let threads = BlockedThreads(topics: store.topics)
        let service = try await ScreenService(
            catalog: try ScreenCatalog([Blocking<A>(threads: threads), Blocking<B>(threads: threads), Blocking<C>(threads: threads)]),
            store: store, logger: .silent
        )
        let views = try ["a", "b", "c"].flatMap { screen in
            try (0...RefreshExecutor.width).map { number in
                try service.catalog.view(of: screen, parameters: [], locale: .english, caller: .user("follower \(number)"))
            }
        }
        var followers: [Follower] = []
        for view in views { followers.append(try await Follower(service, view)) }
        for follower in followers { _ = await follower.next() }
        threads.block()
        store.topics.announce([BlockedThreads.topic])
        await threads.areBlocked(RefreshExecutor.width)
        for screen in ["a", "b", "c"] {
            let view = try service.catalog.view(of: screen, parameters: [], locale: .english, caller: .user("somebody else"))
            #expect(try await service.snapshot(of: view).value.text.contains("somebody else"))
        }
        #expect(threads.blockedCount == RefreshExecutor.width)
        threads.open()
        for follower in followers { #expect(await follower.next() != nil) }
    }

    @Test func comparisonsTakeTurnsWithComputations() async {
        let computing = RefreshExecutor(width: 1)
        let comparing = computing.executor(for: "comparisons")
        let (order, gate) = (Order(), DispatchSemaphore(value: 0))
        /// Blocks the only thread.
        @Sendable func block() { gate.wait() }
        let first = Task.detached(executorPreference: computing) { block() }
        let comparisons = (1...3).map { number in
            Task.detached(executorPreference: comparing) { order.append("comparison \(number)") }
        }
        let last = Task.detached(executorPreference: computing) { order.append("computation") }
        gate.signal()
        for task in [first] + comparisons + [last] { await task.value }
        #expect(order.all == ["comparison 1", "computation", "comparison 2", "comparison 3"])
    }

    @Test func aThreadThatIsBlockedPastTheDeadlineIsReplaced() async throws {
        let time = HeldDeadline()
        let store = ServiceStoreInMemory()
        let threads = BlockedThreads(topics: store.topics)
        let service = try await blockable(threads, store, time.deadline)
        let view = try service.catalog.view(of: "b", parameters: [], locale: .english, caller: .user("reader"))
        let reader = try await Follower(service, view)
        _ = await reader.next()
        let followers = try await block(threads, of: service, store)
        store.topics.announce([Topic("b")])
        // The refresh of b waits for a thread. Its deadline has not started.
        time.pass(laterWork: false)
        #expect(service.stragglerCount == RefreshExecutor.width)
        #expect(await reader.next()?.text.contains("reader, 1") == true)
        #expect(service.stragglerCount == RefreshExecutor.width)
        threads.open()
        while service.stragglerCount > 0 { await Task.yield() }
        for follower in followers { follower.leave() }
    }

    @Test func aRequestBeginsARefreshThatWaitsForAThread() async throws {
        let store = ServiceStoreInMemory()
        let threads = BlockedThreads(topics: store.topics)
        let service = try await blockable(threads, store, HeldDeadline().deadline)
        let view = try service.catalog.view(of: "b", parameters: [], locale: .english, caller: .user("reader"))
        let reader = try await Follower(service, view)
        _ = await reader.next()
        let followers = try await block(threads, of: service, store)
        store.topics.announce([Topic("b")])
        #expect(try await service.snapshot(of: view).value.text.contains("reader, 1"))
        #expect(await reader.next()?.text.contains("reader, 1") == true)
        threads.open()
        for follower in followers { follower.leave() }
    }

    @Test func aNewFollowerWaitsForAThreadNoLongerThanForItsTurn() async throws {
        let store = ServiceStoreInMemory()
        let threads = BlockedThreads(topics: store.topics)
        let service = try await blockable(threads, store, HeldDeadline().deadline)
        let followers = try await block(threads, of: service, store)
        let view = try service.catalog.view(of: "b", parameters: [], locale: .english, caller: .user("reader"))
        let subscription = try await service.feeds.follow(view, turnTimeout: .milliseconds(1)) {}.value
        #expect(subscription.feed.latest?.snapshot.text.contains("reader, 1") == true)
        threads.open()
        for follower in followers { follower.leave() }
    }

    private func blockable(
        _ threads: BlockedThreads, _ store: ServiceStoreInMemory, _ deadline: Deadline
    ) async throws -> ScreenService {
        try await ScreenService(
            catalog: try ScreenCatalog([Blocking<A>(threads: threads), Blocking<B>(threads: threads)]), store: store,
            deadline: deadline, logger: .silent
        )
    }

    /// Blocks all threads with refreshes of the screen a.
    ///
    /// - Returns: the followers of a.
    private func block(
        _ threads: BlockedThreads, of service: ScreenService, _ store: ServiceStoreInMemory
    ) async throws -> [Follower] {
        var followers: [Follower] = []
        for number in 0..<RefreshExecutor.width {
            let view = try service.catalog.view(of: "a", parameters: [], locale: .english, caller: .user("follower \(number)"))
            followers.append(try await Follower(service, view))
            _ = await followers[number].next()
        }
        threads.block()
        store.topics.announce([Topic("a")])
        await threads.areBlocked(RefreshExecutor.width)
        return followers
    }
}

/// The names of jobs in the order in which they ran.
private final class Order: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func append(_ name: String) {
        names.withLock { $0.append(name) }
    }
}

/// Blocks each thread on which a view is computed for a follower, until it is opened.
private final class BlockedThreads: Sendable {
    static let topic = Topic("all")
    private let topics: Topics
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((isBlocking: false, blocked: 0, round: 0))
    private let arrivals = AsyncStream<Void>.makeStream()

    init(topics: Topics) {
        self.topics = topics
    }

    var blockedCount: Int { state.withLock { $0.blocked } }

    func block() {
        state.withLock { ($0.isBlocking, $0.round) = (true, 1) }
    }

    func open() {
        state.withLock { $0.isBlocking = false }
        gate.signal()
    }

    /// Returns once so many threads are blocked.
    func areBlocked(_ count: Int) async {
        var arrivals = arrivals.stream.makeAsyncIterator()
        for _ in 0..<count { await arrivals.next() }
    }

    /// - Returns: a number that changes when ``block()`` is called.
    func pass(_ user: String, of screen: String) -> Int {
        for topic in [Self.topic, Topic(screen)] { topics.recorder?.record(topic) }
        let (isBlocking, round) = state.withLock { state in
            let isBlocking = state.isBlocking && user.hasPrefix("follower")
            if isBlocking { state.blocked += 1 }
            return (isBlocking, state.round)
        }
        if isBlocking {
            arrivals.continuation.yield()
            gate.wait()
            // The next one.
            gate.signal()
        }
        return round
    }
}

private protocol ScreenName: Sendable { static var name: String { get } }
private enum A: ScreenName { static let name = "a" }
private enum B: ScreenName { static let name = "b" }
private enum C: ScreenName { static let name = "c" }

private struct Blocking<Name: ScreenName>: Screen {
    static var name: String { Name.name }
    let threads: BlockedThreads
    let visibility = Visibility.user

    var title: Text { Text(Name.name) }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, Row>> {
        let user = try request.user
        let section = TableViewSection<Label, Row>(id: "all", cells: [Row(id: "\(user), \(threads.pass(user, of: Name.name))")])
        return ScreenContent(title: Name.name, model: TableViewModel(section: section))
    }
}
