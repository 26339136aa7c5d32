public import Foundation
public import ScreenWire

/// A function that returns the token that identifies the user, or `nil` to send requests without a token.
///
/// - Parameter refused: The token that the server rejected with 401, or `nil`. If the source returns the rejected token again, the request
///   fails.
public typealias TokenSource = @Sendable (_ refused: String?) async throws -> String?

/// A client of a Relist server.
///
///     let client = ScreenClient(base: url, token: { try await session.token() })
///     let screen = client.screen("deliveries", ["contract": id])
///     Task { await screen.follow() }
///     for cell in screen.model.sections[1].cells { … }
///     try await screen.action("weigh")(["delivery": "7534-1", "kilograms": 11_000])
///
/// All screens of a client share the connections, the token, and the position tokens of the actions.
@MainActor
public final class ScreenClient {
    /// The types of cells and views that the app knows. Register them before the first screen is shown.
    public let registry: CellRegistry
    /// The user whose snapshots and attempts are stored on the device, or `nil` to store none.
    public private(set) var user: String?
    let exchanges: Exchanges
    let snapshots: (any SnapshotStoring)?
    let attempts: (any AttemptStoring)?
    /// The screens that the client created. The client does not keep a screen alive.
    private var screens: [WeakScreen] = []
    private let locale: String?
    /// The tasks that are writing snapshots, by the number that each task received when it was created.
    private(set) var saves: [Int: Task<Void, Never>] = [:]
    private var saveCount = 0
    /// The minimum time between the beginnings of two writes of snapshots of the same screen.
    var savePause = Duration.seconds(2)
    /// Waits for the pauses between attempts, and for the time after which a silent stream is closed. Tests replace this function.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The position tokens of the last actions. A screen that is created before the `end` of a token sends this token.
    private var positions: [(token: String, end: ContinuousClock.Instant)] = []
    private static let positionLifetime = Duration.seconds(60)
    #if canImport(Network)
    private var networkMonitor: NetworkMonitor?
    #endif

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - base: The base URL of the server. Redirects to another server, or from `http` to `https`, are not followed.
    ///   - user: The user whose snapshots and attempts are stored on the device. Without a user, nothing is stored.
    ///   - locale: The language of all screens. With `nil`, the transport states the languages. `URLSession` states the languages of the
    ///     device.
    ///   - registry: The types of cells and views that the app knows.
    ///   - store: The store of snapshots and attempts.
    ///   - token: Returns the token of each request. It is called again after a request was rejected with 401.
    public convenience init(
        base: URL, user: String? = nil, locale: String? = nil, registry: CellRegistry = CellRegistry(),
        transport: any ClientTransport = .standard, store: (any SnapshotStoring & AttemptStoring)? = FileStore.standard,
        token: @escaping @Sendable () async throws -> String?
    ) {
        self.init(
            base: base, user: user, locale: locale, registry: registry, transport: transport, snapshots: store, attempts: store,
            tokenSource: { _ in try await token() })
    }

    /// Creates a client with separate stores for snapshots and attempts, and with a token source that receives the rejected token.
    ///
    /// - Parameter tokenSource: Returns the token of each request. Without a source, requests are anonymous.
    public init(
        base: URL, user: String? = nil, locale: String? = nil, registry: CellRegistry = CellRegistry(),
        transport: any ClientTransport = .standard, snapshots: (any SnapshotStoring)? = FileStore.standard,
        attempts: (any AttemptStoring)? = FileStore.standard, tokenSource: TokenSource? = nil
    ) {
        self.registry = registry
        self.user = user
        self.locale = locale
        self.snapshots = snapshots
        self.attempts = attempts
        exchanges = Exchanges(base: base.absoluteString, transport: transport, tokenSource: tokenSource)
        #if canImport(Network)
        networkMonitor = NetworkMonitor { [weak self] in
            Task { @MainActor in self?.networkChanged() }
        }
        #endif
    }

    /// Returns a screen of the server. The client sends no request before the screen is followed or refreshed.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the screen. Parameters that are left out have their default values.
    ///   - revision: The revision of the screen's cells that the app was built for, or `nil` for the oldest revision that the server
    ///     supports.
    ///   - locale: The language of the screen, or `nil` for the language of the client.
    public func screen(
        _ name: String, _ parameters: [String: String] = [:], revision: Int? = nil, locale: String? = nil
    ) -> LiveScreen {
        let view = ViewAddress(screen: name, parameters: parameters, revision: revision, locale: locale ?? self.locale)
        let screen = LiveScreen(view, client: self)
        screens.removeAll { $0.screen == nil }
        screens.append(WeakScreen(screen: screen))
        positions.removeAll { $0.end < .now }
        for position in positions { screen.send(.positionLearned(position.token)) }
        return screen
    }

    /// Requests the descriptions of the screens that the user may open.
    ///
    /// - Throws: ``ScreenError``. The error is ``ScreenError/cancelled`` if ``reset(user:)`` is called before the response has arrived.
    public func catalog() async throws(ScreenError) -> CatalogDocument {
        let query = locale.map { [("locale", $0)] } ?? []
        do throws(Exchanges.Failed) {
            return try await exchanges.catalog(ViewAddress.target(["screens"], query))
        } catch {
            throw error.error
        }
    }

    /// Discards the content of all screens, and continues with another user. The stored snapshots of the earlier user are removed. The
    /// stored attempts of the earlier user are kept, because their outcome is not known.
    ///
    /// Change the session of the app before you call this function, so that the token source no longer returns tokens of the earlier user.
    /// Do not suspend in between, because until this call the screens send the requests of the earlier user with the tokens of the later
    /// user. Screens that are followed send their next request after the function has returned.
    public func reset(user: String?) async {
        let earlier = self.user
        self.user = user
        positions = []
        for screen in screens { screen.screen?.reset() }
        exchanges.tokens.reset()
        // Waits for all writes, because a write that ends after the removal would leave content of the earlier user on the device.
        for save in saves.values { await save.value }
        if let earlier { await snapshots?.removeSnapshots(of: earlier) }
        for screen in screens { screen.screen?.continueAfterReset() }
    }

    /// Connects all screens again at once, because the network of the device changed. Screens that wait for their next attempt stop
    /// waiting.
    ///
    /// On Apple platforms, the client calls this function itself. On Linux, call it when the device changes to a different network.
    public func networkChanged() {
        for screen in screens { screen.screen?.send(.networkChanged) }
    }

    /// Passes a position token to all screens except the sender.
    func share(position: String, from sender: LiveScreen) {
        let lifetime = max(Self.positionLifetime, sender.machine.positions.bound)
        positions = positions.suffix(15) + [(position, .now + lifetime)]
        for screen in screens where screen.screen !== sender { screen.screen?.send(.positionLearned(position)) }
    }

    /// Starts a task that calls `store`. The client keeps the task until the task ends.
    func save(_ store: @escaping @MainActor () async -> Void) {
        saveCount += 1
        let id = saveCount
        saves[id] = Task {
            await store()
            saves[id] = nil
        }
    }

    /// Returns a Boolean value that indicates whether `other` is the user of the client. Users are compared by the bytes of their ids.
    func isUser(_ other: String?) -> Bool { other.map(ExactText.init) == user.map(ExactText.init) }

    /// The keys of the attempts that the screens of the client are executing.
    var executingKeys: Set<String> { Set(screens.compactMap(\.screen).flatMap(\.executions.keys)) }

    private struct WeakScreen {
        weak var screen: LiveScreen?
    }
}
