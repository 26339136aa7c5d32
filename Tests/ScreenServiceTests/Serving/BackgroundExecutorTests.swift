import Dispatch
import ScreenModel
import Synchronization
import Testing

@testable import ScreenService

@Suite("The executor of refreshes", .timeLimit(.minutes(1))) struct BackgroundExecutorTests {
    @Test func refreshesThatBlockTheirThreadsDoNotDelayRequests() async throws {
        let screens = try await BlockableScreens()
        let followers = try await screens.blockAllThreads()
        for view in [screens.view(of: "a"), screens.view(of: "b")] {
            #expect(try await screens.service.snapshot(of: view).value.text.contains("reader"))
        }
        screens.threads.open()
        for follower in followers { #expect(await follower.next() != nil) }
    }

    @Test func comparisonsAndComputationsOfViewsRunAlternatelyOnAThread() async {
        let computing = BackgroundExecutor(width: 1)
        let comparing = computing.executor(for: "comparisons")
        let (order, gate) = (RunOrder(), DispatchSemaphore(value: 0))
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

    @Test func aThreadIsReplacedIfItIsBlockedPastTheDeadline() async throws {
        let screens = try await BlockableScreens()
        let reader = try await screens.follow("b")
        let followers = try await screens.blockAllThreads()
        screens.store.topics.announce([Topic("b")])
        // The refresh of `b` is still waiting for a thread, so its deadline has not started.
        screens.time.pass(laterWork: false)
        #expect(await reader.next()?.text.contains("reader, 1") == true)
        #expect(screens.service.stragglerCount == BackgroundExecutor.width)
        screens.threads.open()
        while screens.service.stragglerCount > 0 { await Task.yield() }
        for follower in followers { follower.leave() }
    }

    @Test func aThreadIsAddedOnlyWhileALateComputationBlocksAThread() async {
        let executor = BackgroundExecutor(width: 1)
        let late = executor.executor()
        let (waiting, blocking, semaphore) = (Gate(), Gate(), DispatchSemaphore(value: 0))
        @Sendable func block() { semaphore.wait() }
        let computation = Task.detached(executorPreference: late) {
            await waiting.pass()
            blocking.arrive()
            block()
        }
        await waiting.isReached()
        late.replaceThreads()
        #expect(await mostAtATime(on: executor) == 1)
        waiting.open()
        await blocking.isReached()
        #expect(await mostAtATime(on: executor) == 1)
        semaphore.signal()
        await computation.value
        #expect(await mostAtATime(on: executor) == 1)
    }

    /// Runs many jobs. Returns the maximum number of jobs that ran at the same time.
    private func mostAtATime(on executor: BackgroundExecutor) async -> Int {
        let jobs = CountedJobs()
        let tasks = (0..<20).map { _ in Task.detached(executorPreference: executor) { jobs.run() } }
        for task in tasks { await task.value }
        return jobs.mostAtATime
    }

    @Test func aRefreshThatWaitsForAThreadIsStartedByARequestForItsView() async throws {
        let screens = try await BlockableScreens()
        let reader = try await screens.follow("b")
        let followers = try await screens.blockAllThreads()
        screens.store.topics.announce([Topic("b")])
        #expect(try await screens.service.snapshot(of: screens.view(of: "b")).value.text.contains("reader, 1"))
        #expect(await reader.next()?.text.contains("reader, 1") == true)
        screens.threads.open()
        for follower in followers { follower.leave() }
    }

    @Test func aNewFollowerReceivesItsViewEvenIfAllThreadsAreBlocked() async throws {
        let screens = try await BlockableScreens()
        let followers = try await screens.blockAllThreads()
        let subscription = try await screens.service.feeds.follow(screens.view(of: "b"), turnTimeout: .milliseconds(1)) {}.value
        #expect(subscription.feed.latest?.snapshot.text.contains("reader, 1") == true)
        screens.threads.open()
        for follower in followers { follower.leave() }
    }
}

/// A service with the screens `a` and `b`, whose computations for followers can block their threads.
private struct BlockableScreens {
    let time = HeldDeadline()
    let store = ServiceStoreInMemory()
    let threads: BlockedThreads
    let service: ScreenService

    init() async throws {
        threads = BlockedThreads(topics: store.topics)
        service = try await ScreenService(
            catalog: try ScreenCatalog([Blocking<A>(threads: threads), Blocking<B>(threads: threads)]), store: store,
            deadline: time.deadline, logger: .silent
        )
    }

    func view(of screen: String, user: String = "reader") -> ScreenView {
        try! service.catalog.view(of: screen, parameters: [], locale: .english, caller: .user(user))
    }

    /// Follows a view, and receives its first snapshot.
    func follow(_ screen: String, user: String = "reader") async throws -> Follower {
        let follower = try await Follower(service, view(of: screen, user: user))
        _ = await follower.next()
        return follower
    }

    /// Blocks all threads with refreshes of the screen `a`.
    ///
    /// - Returns: The followers of `a`.
    func blockAllThreads() async throws -> [Follower] {
        var followers: [Follower] = []
        for number in 0..<BackgroundExecutor.width { followers.append(try await follow("a", user: "follower \(number)")) }
        threads.block()
        store.topics.announce([Topic("a")])
        await threads.areBlocked(BackgroundExecutor.width)
        return followers
    }
}

/// A switch that blocks each thread on which a view is computed for a follower. The threads are blocked from ``block()`` until ``open()``.
private final class BlockedThreads: Sendable {
    private let topics: Topics
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((isBlocking: false, round: 0))
    private let arrivals = AsyncStream<Void>.makeStream()

    init(topics: Topics) {
        self.topics = topics
    }

    func block() {
        state.withLock { $0 = (isBlocking: true, round: 1) }
    }

    func open() {
        state.withLock { $0.isBlocking = false }
        gate.signal()
    }

    /// Waits until the given number of threads are blocked.
    func areBlocked(_ count: Int) async {
        var arrivals = arrivals.stream.makeAsyncIterator()
        for _ in 0..<count { await arrivals.next() }
    }

    /// Blocks the current thread until ``open()`` is called, but only if ``block()`` was called before and the user is a follower.
    ///
    /// - Returns: A number that changes when ``block()`` is called.
    func pass(_ user: String, of screen: String) -> Int {
        topics.recorder?.record(Topic(screen))
        let (isBlocking, round) = state.withLock { ($0.isBlocking && user.hasPrefix("follower"), $0.round) }
        if isBlocking {
            arrivals.continuation.yield()
            gate.wait()
            // Releases the next thread.
            gate.signal()
        }
        return round
    }
}

private protocol ScreenName: Sendable { static var name: String { get } }
private enum A: ScreenName { static let name = "a" }
private enum B: ScreenName { static let name = "b" }

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
