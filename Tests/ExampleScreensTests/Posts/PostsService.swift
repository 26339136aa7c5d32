import ExampleRecords
import Logging
import ScreenService
import ScreenWire

@testable import ExampleScreens

/// A service with a screen of posts from an upstream. A test provides the results of the upstream.
struct PostsService: Sendable {
    let source = ManualPosts()
    private let service: ScreenService

    init(store: Store<PostsTransaction>, pause: @escaping PostsLoader.Pause = PostsLoader.pauseAfterFailure) async throws {
        let serviceStore = ServiceStoreInMemory()
        let loader = PostsLoader(source: source, topics: serviceStore.topics, patience: .seconds(3600), pause: pause)
        service = try await ScreenService(
            catalog: try ScreenCatalog([Posts(store: store, loader: loader)], locales: [.english, .french]), store: serviceStore,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    var computations: Int { service.metrics.current.computations }

    func snapshot(limit: Int = 20) async throws -> Document {
        try await service.snapshot(of: view(limit)).value
    }

    /// Follows the view of the first `limit` posts until the subscription is cancelled.
    func follow(limit: Int = 20, _ wake: @escaping @Sendable () -> Void = {}) async throws -> Subscription {
        try await service.follow(view(limit), wake: wake).value
    }

    func changes(limit: Int, from version: String) async throws -> JSONValue {
        try JSONReader.read(try await service.changes(of: view(limit), from: version).value.bytes)
    }

    func perform(_ action: String, limit: Int, from version: String) async throws -> JSONValue {
        let request = ActionRequest(action: action, caller: .user("demo"), version: version, input: .object([]), idempotencyKey: nil)
        return try JSONReader.read(try await service.perform(request, on: view(limit)).bytes)
    }

    private func view(_ limit: Int) throws -> ScreenView {
        try service.catalog.view(of: "posts", parameters: [("limit", String(limit))], locale: .english, caller: .user("demo"))
    }
}

extension Document {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
