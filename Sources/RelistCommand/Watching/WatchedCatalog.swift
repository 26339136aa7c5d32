import ScreenClient

/// The list of screens of the server. It is loaded when it is first needed.
@MainActor
final class WatchedCatalog {
    private let client: ScreenClient
    private let transport: ObservedTransport
    /// The list that was loaded last, or `nil` if none was loaded yet.
    private(set) var document: CatalogDocument?

    init(_ transport: ObservedTransport, _ client: (ObservedTransport) -> ScreenClient) {
        (self.transport, self.client) = (transport, client(transport))
    }

    /// Loads the list, even if it is already loaded, because the list on the server may have changed.
    @discardableResult
    func load() async throws(WatchFault) -> CatalogDocument {
        do throws(ScreenError) {
            let new = try await client.catalog()
            document = new
            return new
        } catch {
            throw .failed(error, cause: transport.viewCause)
        }
    }
}
