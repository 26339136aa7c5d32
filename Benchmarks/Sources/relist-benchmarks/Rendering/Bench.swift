import Logging
import ScreenService

/// A service with prebuilt models and nothing of disk or network.
struct Bench {
    let topics: Topics
    let service: ScreenService
    var history: History { service.history }

    /// - Parameter cacheBytes: 0 to keep no view.
    init(_ models: [ScreenContent<Prebuilt.Model>], cacheBytes: Int = 256 << 20) async throws {
        let store = Store()
        topics = store.topics
        service = try await ScreenService(
            catalog: try ScreenCatalog([Prebuilt(models: models, topics: store.topics)]), store: store,
            bounds: ScreenService.Bounds(
                viewCacheBytes: cacheBytes, history: HistoryBounds(age: 1 << 40, bytes: 1 << 40, memoryBytes: 1 << 40)
            ),
            logger: Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }, now: { 0 }
        )
    }

    func view(of index: Int) throws -> ScreenView {
        try service.catalog.view(
            of: Prebuilt.name, parameters: [("index", String(index))], locale: .english, caller: .nobody
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

    /// Nothing is on disk.
    private struct Forgetful: HistoryStoring {
        func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] { [] }
        func write(_ batch: HistoryBatch) async throws {}
        func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings? {
            HistoryHoldings(versions: 0, bytes: 0, crowdedOut: 0)
        }
    }
}
