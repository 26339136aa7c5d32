import ExampleRecords
import ExampleScreens
import Foundation
import Logging
import RelistSQLite
import ScreenService
import ScreenWire
import Synchronization

/// A service with the example screens and two screens for benchmarks, on an SQLite file.
final class ChangeBench: Sendable {
    typealias Parameters = [(name: String, value: String)]

    let posts: Store<PostsTransaction>
    let rows: Rows
    let tiles: Tiles
    let service: ScreenService
    private let reading = Stopwatch()
    /// The number of changes so far. It is used to give each change a new value.
    private let changeCount = Atomic(0)
    private let store: SQLiteServiceStore
    private let folder: URL

    init() async throws {
        let logger = Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }
        folder = FileManager.default.temporaryDirectory.appending(path: "relist-benchmarks-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let transactions: [any ExampleTransaction.Type] = [SettingsTransaction.self, DeliveriesTransaction.self, PostsTransaction.self]
        store = try SQLiteServiceStore.open(
            path: folder.appending(path: "data.sqlite").path, migrations: Examples.migrations(of: transactions, for: .sqlite),
            logger: logger
        ) { try Examples.insertMissing(of: transactions, in: $0) }
        let timed = TimedStore(store: store, reading: reading)
        posts = Store(in: store)
        try await posts.write { posts in
            for id in try posts.postCount() + 1...1000 {
                try posts.insertPost(Post(id: id, userID: id % 10, title: "Post \(id)", body: "What it says, in some words."))
            }
        }
        rows = Rows(count: 100_000, topics: store.topics)
        tiles = Tiles(topics: store.topics)
        let screens: [any Screen] = [
            ExampleScreens.settings(store: Store(in: timed)),
            ExampleScreens.deliveries(store: Store(in: timed)),
            ExampleScreens.posts(
                store: Store(in: timed), upstream: nil, topics: store.topics, patience: .zero, logger: logger
            ),
            rows, tiles,
        ]
        service = try await ScreenService(
            catalog: try ScreenCatalog(screens), store: store,
            bounds: ScreenService.Bounds(viewCacheBytes: 1 << 30, following: FollowingBounds(bytes: 1 << 30, callerShare: 100)),
            logger: logger
        )
    }

    func close() async {
        await store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A change of the measured view.
    struct Change {
        let number: Int
        let service: ScreenService
        let view: ScreenView

        func perform(_ action: String, _ input: KeyValuePairs<String, JSONValue>) async throws {
            let members = input.map { JSONValue.Member($0.key, $0.value) }
            let request = ActionRequest(
                action: action, caller: .user("demo"), version: nil, input: .object(members), idempotencyKey: nil
            )
            _ = try await service.perform(request, on: view)
        }
    }

    /// Makes one change after another, and prints their median cost. After each change, this function waits until the follower has received
    /// the change and history has stored the new version.
    ///
    /// - Parameters:
    ///   - others: the parameters of other views that are also followed.
    ///   - target: the maximum processor time of a change, in milliseconds.
    ///   - memoryTarget: the maximum additional memory in use, as a multiple of the size of the view's document; nil if memory is not
    ///     measured.
    /// - Returns: the median processor time of a change, in milliseconds.
    @discardableResult
    func measure(
        _ what: String, in screen: String, _ parameters: Parameters = [], beside others: [Parameters] = [],
        isFollowed: Bool = true, atMost target: Double? = nil, memoryAtMost memoryTarget: Double? = nil,
        _ change: (Change) async throws -> Void
    ) async throws -> Double {
        let view = try self.view(of: screen, parameters)
        var followers: [Subscription] = []
        for other in others { followers.append(try await service.follow(try self.view(of: screen, other)) {}.value) }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let follower = isFollowed ? try await service.follow(view) { wake.yield() }.value : nil
        var version = try await service.snapshot(of: view).value.version
        var woken = wakes.makeAsyncIterator()
        var costs: [Cost] = []
        let end = ContinuousClock.now + .seconds(2)
        func changeOnce() async throws {
            let before = Cost(of: service, reading)
            try await change(Change(number: changeCount.add(1, ordering: .relaxed).newValue, service: service, view: view))
            if let follower { version = try await next(of: follower, since: version) { await woken.next() }.version }
            let historyBegins = ContinuousClock.now
            await service.history.flush()
            var cost = Cost(of: service, reading) - before
            cost.history = (.now - historyBegins) / .milliseconds(1)
            costs.append(cost)
        }
        while costs.count < 12 || ContinuousClock.now < end && costs.count < 2000 { try await changeOnce() }
        var peak = 0
        for _ in 0..<(memoryTarget == nil ? 0 : 5) { peak = max(peak, try await peakBytes { try await changeOnce() }) }
        withExtendedLifetime(followers) {}
        follower?.cancel()
        // The first two changes are omitted, because the caches are cold.
        let cost = Cost.median(of: Array(costs.dropFirst(2)))
        Table.row(
            what, "\(cost.milliseconds.rounded(to: 3)) ms CPU, \(cost.allocations) allocations", measured: cost.milliseconds,
            atMost: target.map { ($0, "\($0) ms") }
        )
        print("    " + cost.partsText)
        if let memoryTarget {
            let ratio = Double(peak) / Double(try await service.snapshot(of: view).value.bytes.count)
            Table.row(
                "memory for that, beside what is there", "\(ratio.rounded(to: 2)) x the document, \(peak >> 20) MiB", measured: ratio,
                atMost: (memoryTarget, "\(memoryTarget) x")
            )
        }
        return cost.milliseconds
    }

    func view(of screen: String, _ parameters: Parameters, _ user: String = "demo") throws -> ScreenView {
        try service.catalog.view(of: screen, parameters: parameters, locale: .english, caller: .user(user))
    }

    private func next(of follower: Subscription, since version: String, _ wait: () async -> Void?) async throws -> Document {
        while true {
            switch follower.news(since: version, reported: .current) {
            case .document(let document): return try await document.value
            case .nothing, .current, .stale, .end: _ = await wait()
            }
        }
    }
}
