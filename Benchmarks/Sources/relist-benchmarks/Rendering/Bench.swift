import Logging
import ScreenService

/// A service with prebuilt models that uses no disk and no network.
struct Bench {
    let topics: Topics
    let service: ScreenService
    var history: History { service.history }

    /// Creates a service with one screen for the models.
    ///
    /// - Parameter cacheBytes: the maximum number of bytes in the view cache; with 0, no view is cached.
    init(_ models: [ScreenContent<Prebuilt.Model>], cacheBytes: Int = 256 << 20) async throws {
        let store = Store()
        topics = store.topics
        service = try await ScreenService(
            catalog: try ScreenCatalog([Prebuilt(models: models, topics: store.topics)]), store: store,
            bounds: ScreenService.Bounds(
                viewCacheBytes: cacheBytes, history: HistoryBounds(age: 1 << 40, bytes: 1 << 40, memoryBytes: 1 << 40)
            ),
            logger: Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }, clock: ManualClock(at: 0)
        )
    }

    func view(of index: Int) throws -> ScreenView {
        try service.catalog.view(
            of: Prebuilt.name, parameters: [("index", String(index))], locale: .english, caller: .anonymous
        )
    }

    private struct Store: ServiceStoring {
        let topics = ServiceStoreInMemory().topics
        let history: any HistoryStoring = Forgetful()
        let receipts: any ReceiptStoring = ReceiptsInMemory()

        func secret(byteCount: Int) -> [UInt8] { Array(1...192) }
        func checkReadable() {}
        func close() {}
    }

    /// A history store that discards all versions.
    private struct Forgetful: HistoryStoring {
        func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] { [] }
        func write(_ batch: HistoryBatch) async throws {}
        func removeExcess(over bounds: HistoryBounds, now: Int64) async throws -> HistoryUsage? {
            HistoryUsage(versions: 0, bytes: 0, removedEarly: 0)
        }
    }
}
