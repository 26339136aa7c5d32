import ScreenModel
import Testing

@testable import ScreenService

@Suite("Tasks of watched screens", .timeLimit(.minutes(1))) struct WatchTasksTests {
    private let events = AsyncStream.makeStream(of: String.self)
    /// A gate at which cancelled work waits before it ends.
    private let end = Gate()

    private func catalog() throws -> ScreenCatalog {
        try ScreenCatalog([Watched(events: events.continuation, end: end)])
    }

    private func view(_ user: String, _ q: String = "", in catalog: ScreenCatalog) throws -> ScreenView {
        try catalog.view(of: "watched", parameters: [("q", q)], locale: .english, caller: .user(user))
    }

    private func next(_ count: Int = 1) async -> [String] {
        await events.stream.prefix(count).reduce(into: []) { $0.append($1) }
    }

    @Test func eachAudienceOfAWatchedScreenHasOneTaskWhileItHasFollowers() async throws {
        let catalog = try catalog()
        let watchTasks = WatchTasks(catalog: catalog)
        end.open()
        for q in ["a", "b", "b"] { watchTasks.addWatcher(of: try view("ada", q, in: catalog)) }
        #expect(await next() == ["ada begins"])
        watchTasks.addWatcher(of: try view("bob", in: catalog))
        #expect(await next() == ["bob begins"])
        for q in ["a", "b"] { watchTasks.removeWatcher(of: try view("ada", q, in: catalog)) }
        watchTasks.removeWatcher(of: try view("bob", in: catalog))
        #expect(await next() == ["bob ends"])
        watchTasks.removeWatcher(of: try view("ada", "b", in: catalog))
        #expect(await next() == ["ada ends"])
    }

    @Test func aNewTaskOfAWatchedScreenBeginsOnlyAfterThePreviousTaskHasEnded() async throws {
        let catalog = try catalog()
        let watchTasks = WatchTasks(catalog: catalog)
        let view = try view("ada", in: catalog)
        watchTasks.addWatcher(of: view)
        #expect(await next() == ["ada begins"])
        for _ in 0..<3 {
            watchTasks.removeWatcher(of: view)
            watchTasks.addWatcher(of: view)
        }
        await end.isReached()
        end.open()
        // The watcher was removed and added three times before the first task ended, but only one new task begins.
        #expect(await next(2) == ["ada ends", "ada begins"])
        watchTasks.removeWatcher(of: view)
        #expect(await next() == ["ada ends"])
    }

    @Test func theTaskOfAWatchedScreenRunsWhileAFollowerOrAWaitingRequestExists() async throws {
        end.open()
        let service = try await ScreenService(catalog: try catalog(), store: ServiceStoreInMemory(), logger: .silent)
        let view = try view("ada", in: service.catalog)
        let subscription = try await service.follow(view) {}.value
        #expect(await next() == ["ada begins"])
        subscription.cancel()
        #expect(await next() == ["ada ends"])
        let version = try await service.snapshot(of: view).value.version
        let waiting = Task { try await service.changes(of: view, from: version, waiting: .seconds(3600)) }
        #expect(await next() == ["ada begins"])
        service.drain()
        _ = try await waiting.awaited
        #expect(await next() == ["ada ends"])
    }
}

private struct Watched: Screen {
    static let name = "watched"
    static let q = Parameter<String>.text("q", "Nothing.")
    let events: AsyncStream<String>.Continuation
    let end: Gate
    let visibility = Visibility.user
    let isStatic = true
    let parameters: [any ParameterDeclaring] = [q]

    let title: Text = "Watched"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, Row>> {
        ScreenContent(title: "Watched", model: TableViewModel(section: TableViewSection(id: "one", cells: [Row(id: "1")])))
    }

    func whileWatched(by audience: Audience) async {
        guard case .user(let user) = audience else { return }
        events.yield("\(user) begins")
        // The stream ends when the task is cancelled.
        let (cancellation, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in cancellation {}
        withExtendedLifetime(continuation) {}
        await end.pass()
        events.yield("\(user) ends")
    }
}
