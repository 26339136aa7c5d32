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
        let bounds = HistoryBounds(age: 1 << 40, bytes: 1 << 40, memoryBytes: 1 << 40)
        let hash = ContentHash(secret: Array(1...192))
        cache = ViewCache(byteLimit: cacheBytes)
        history = History(store: Forgetful(), bounds: bounds, hash: hash, logger: logger, now: { 0 })
        service = ScreenService(
            catalog: try ScreenCatalog([Prebuilt(models: models)]), hash: hash, cache: cache, history: history,
            logger: logger
        )
    }

    func view(of index: Int) throws -> ScreenView {
        try service.catalog.view(
            of: Prebuilt.name, parameters: [("index", String(index))], locale: .english, caller: .nobody
        )
    }

    /// Keeps nothing on disk.
    private struct Forgetful: HistoryStoring {
        func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] { [] }
        func write(_ batch: HistoryBatch) async throws {}
        func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings {
            HistoryHoldings(versions: 0, bytes: 0, crowdedOut: 0)
        }
    }
}
