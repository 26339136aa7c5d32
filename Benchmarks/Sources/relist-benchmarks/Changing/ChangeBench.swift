import CMalloc
import ExampleScreens
import ExampleStores
import ExampleStoresSQLite
import Foundation
import Glibc
import Logging
import ScreenService
import ScreenWire
import ServiceStoreSQLite

/// The service with example screens and two of its own, on an SQLite file.
final class ChangeBench: Sendable {
    typealias Parameters = [(name: String, value: String)]

    let posts: any Store<any PostsTransaction>
    let rows: Rows
    let tiles: Tiles
    private let store: SQLiteServiceStore
    private let service: ScreenService
    private let folder: URL

    init() async throws {
        let logger = Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }
        folder = FileManager.default.temporaryDirectory.appending(path: "relist-benchmarks-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try SQLiteServiceStore.open(
            path: folder.appending(path: "data.sqlite").path,
            tables: [SQLiteSettings.self, SQLiteDeliveries.self, SQLitePosts.self], logger: logger
        )
        posts = store.store(SQLitePosts.self)
        try await posts.write { posts in
            for id in try posts.postCount() + 1...1000 {
                try posts.insertPost(Post(id: id, userID: id % 10, title: "Post \(id)", body: "What it says, in some words."))
            }
        }
        rows = Rows(count: 100_000, topics: store.topics)
        tiles = Tiles(topics: store.topics)
        let screens: [any Screen] = [
            ExampleScreens.settings(store: store.store(SQLiteSettings.self)),
            ExampleScreens.deliveries(store: store.store(SQLiteDeliveries.self)),
            ExampleScreens.posts(store: posts, upstream: nil, topics: store.topics, patience: .zero, logger: logger),
            rows, tiles,
        ]
        service = try await ScreenService(
            catalog: try ScreenCatalog(screens), store: store, bounds: ScreenService.Bounds(viewCacheBytes: 1 << 30), logger: logger
        )
    }

    func close() async {
        await store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// One change of a view that is followed.
    struct Change {
        let number: Int
        let service: ScreenService
        let view: ScreenView

        func perform(_ action: String, _ input: KeyValuePairs<String, JSONValue>) async throws {
            let members = input.map { JSONValue.Member($0.key, $0.value) }
            let request = ActionRequest(
                action: action, user: "demo", version: nil, input: .object(members), idempotencyKey: nil
            )
            _ = try await service.perform(request, on: view)
        }
    }

    /// Makes one change after the other, and waits each time until the view's follower and history have it.
    ///
    /// - Parameters:
    ///   - others: parameters of views that are followed as well.
    ///   - target: milliseconds of processor time for a change, beside what the screen takes for its model.
    func measure(
        _ what: String, in screen: String, _ parameters: Parameters = [], beside others: [Parameters] = [],
        atMost target: Double? = nil, _ change: (Change) async throws -> Void
    ) async throws {
        let view = try self.view(of: screen, parameters)
        var followers: [Subscription] = []
        for other in others { followers.append(try await service.follow(try self.view(of: screen, other)) {}) }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let follower = try await service.follow(view) { wake.yield() }
        var version = try await service.snapshot(of: view).value.version
        var woken = wakes.makeAsyncIterator()
        var costs: [Cost] = []
        let end = ContinuousClock.now + .seconds(2)
        while costs.count < 12 || ContinuousClock.now < end && costs.count < 2000 {
            let before = Cost(of: service)
            try await change(Change(number: costs.count + 1, service: service, view: view))
            let document = try await next(of: follower, since: version) { await woken.next() }
            version = document.version
            await service.history.flush()
            costs.append(Cost(of: service) - before)
        }
        withExtendedLifetime(followers) {}
        follower.cancel()
        // The first ones find nothing warm.
        Self.report(what, Array(costs.dropFirst(2)), target)
    }

    private func view(of screen: String, _ parameters: Parameters) throws -> ScreenView {
        try service.catalog.view(of: screen, parameters: parameters, locale: .english, caller: .user("demo"))
    }

    private func next(of follower: Subscription, since version: String, _ wait: () async -> Void?) async throws -> Document {
        while true {
            switch service.news(for: follower, since: version) {
            case .document(let document): return try await document.value
            case .nothing, .end: _ = await wait()
            }
        }
    }

    private static func report(_ what: String, _ costs: [Cost], _ target: Double?) {
        let cost = Cost.median(of: costs)
        let parts = cost.parts.map { "\($0.key.rawValue) \($0.value.rounded(to: 3))" }.sorted().joined(separator: ", ")
        let whole = cost.milliseconds.rounded(to: 3)
        let content = cost.parts[.content] ?? 0
        Table.row(
            what, "\(whole) ms CPU, \(cost.allocations) allocations", measured: cost.milliseconds - (what.contains("100,000") ? content : 0),
            atMost: target.map { ($0, "\($0) ms") }
        )
        print("    \(parts) ms")
    }
}

/// What was spent.
struct Cost {
    /// Of processor time, of all threads.
    var milliseconds: Double
    var allocations: Int
    /// Milliseconds of each kind of work.
    var parts: [ServiceMetrics.Work: Double]

    /// All until now.
    init(of service: ScreenService) {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        milliseconds = Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        allocations = counted_allocations()
        parts = service.metrics.durations.mapValues { $0 / .milliseconds(1) }
    }

    private init(_ milliseconds: Double, _ allocations: Int, _ parts: [ServiceMetrics.Work: Double]) {
        (self.milliseconds, self.allocations, self.parts) = (milliseconds, allocations, parts)
    }

    static func - (a: Cost, b: Cost) -> Cost {
        Cost(
            a.milliseconds - b.milliseconds, a.allocations - b.allocations,
            Dictionary(uniqueKeysWithValues: a.parts.map { ($0.key, $0.value - (b.parts[$0.key] ?? 0)) })
        )
    }

    /// The median of each number.
    static func median(of costs: [Cost]) -> Cost {
        func median<Number: Comparable>(_ number: (Cost) -> Number) -> Number {
            costs.map(number).sorted()[costs.count / 2]
        }
        var parts: [ServiceMetrics.Work: Double] = [:]
        for work in ServiceMetrics.Work.allCases { parts[work] = median { $0.parts[work] ?? 0 } }
        return Cost(median(\.milliseconds), median(\.allocations), parts)
    }
}
