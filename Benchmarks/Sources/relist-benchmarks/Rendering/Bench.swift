import Logging
import ScreenService

/// Is a service with prebuilt models and nothing of disk or network.
struct Bench {
    let cache: ViewCache
    let history: History
    let service: ScreenService

    /// - Parameter cacheBytes: 0 to keep no view.
    init(_ models: [ScreenContent<Prebuilt.Model>], cacheBytes: Int = 256 << 20) async throws {
        let logger = Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }
        let bounds = HistoryBounds(versionsPerScreen: .max, age: 1 << 40, bytes: .max)
        cache = ViewCache(byteLimit: cacheBytes)
        history = try await History(store: Forgetful(), bounds: bounds, logger: logger, now: { 0 })
        service = ScreenService(
            catalog: try ScreenCatalog([Prebuilt(models: models)]),
            hash: ContentHash(secret: Array(1...192)), cache: cache, history: history, logger: logger
        )
    }

    func view(of index: Int) throws -> ScreenView {
        try service.catalog.view(
            of: Prebuilt.name, parameters: [("index", String(index))], locale: .english, user: ""
        )
    }

    /// Keeps nothing on disk.
    private struct Forgetful: HistoryStoring {
        func records() async throws -> [HistoryRecord] { [] }
        func write(_ batch: HistoryBatch) async throws {}
    }
}
