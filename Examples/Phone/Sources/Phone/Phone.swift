import Foundation
import ScreenClient

/// The part of the app that all screens share. It holds the client of the signed-in user.
@MainActor
public final class Phone {
    public let client: ScreenClient

    /// Creates the app's client. The app does this once, after the user has signed in.
    ///
    /// - Parameters:
    ///   - user: The id of the user. Content and unfinished actions are stored on the device under this id.
    ///   - tokens: A function that returns a valid token. If the server has rejected a token, the argument is the rejected token.
    ///   - store: The store of content and unfinished actions. A test can pass its own store.
    public init(
        server: URL, user: String, tokens: @escaping TokenSource, transport: any ClientTransport = .standard,
        store: any SnapshotStoring & AttemptStoring = FileStore.standard
    ) {
        let registry = CellRegistry { print("\($0.type) \($0.id ?? "") does not decode: \($0.error)") }
        registry.register(DayHeader.self)
        registry.register(DeliveryCell.self)
        registry.register(ContractCell.self, as: "detail")
        registry.register(ContractCell.self, as: "weight")
        registry.register(CountHeader.self)
        registry.register(MountainCell.self)
        registry.register(EmptyFooter.self)
        registry.register(FieldCell.self)
        client = ScreenClient(
            base: server, user: user, locale: "en", registry: registry, transport: transport, snapshots: store, attempts: store,
            tokenSource: tokens)
    }

    public func deliveries(of contract: String) -> DeliveriesModel {
        DeliveriesModel(screen: client.screen("deliveries", ["contract": contract]))
    }

    public func mountains() -> MountainsModel {
        MountainsModel(screen: client.screen("mountains"))
    }

    public func settings() -> SettingsModel {
        SettingsModel(screen: client.screen("settings"))
    }

    /// Connects to the server at once. The app calls this function when its network monitor reports a different network path.
    public func networkChanged() {
        client.networkChanged()
    }

    /// Discards the content of the user. The app calls this function when the user signs out.
    ///
    /// - Parameter endSession: Ends the session. After that, the function `tokens` no longer returns tokens of the user. The session ends
    ///   before the content is discarded, because otherwise a screen could load the content of the user again.
    public func signOut(endSession: () async -> Void) async {
        await endSession()
        await client.reset(user: nil)
    }
}
