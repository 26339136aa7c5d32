@_exported public import Relist
import Foundation
import Logging
import ScreenWire

/// A client of some screens, in one process with them and without a server: for tests of what they show and do.
///
/// ```swift
/// let client = try await TestClient(screens: [Groceries(list: list)], store: store)
/// let change = try await client.perform("add", ["name": "Flour"], on: client.screen("groceries"))
/// #expect(change.inserted == ["Flour"])
/// ```
public struct TestClient: Sendable {
    private let service: ScreenService
    private let caller: Caller

    /// - Parameters:
    ///   - store: the one that the screens' stores announce to.
    ///   - user: who asks; nil for nobody who is known.
    ///   - claims: what is known of the user.
    /// - Throws: every fault of the screens at once.
    public init(
        screens: [any Screen], store: any ServiceStoring = ServiceStoreInMemory(), languages: [ScreenLocale] = [.english],
        user: String? = "demo", claims: Claims = Claims()
    ) async throws {
        service = try await ScreenService(
            catalog: ScreenCatalog(screens, locales: languages), store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        caller = user.map { .user($0, claims: claims) } ?? .nobody
    }

    /// A screen as it is now, in the first of the languages and for the oldest revision where none is said.
    ///
    /// - Throws: `ViewFault` where there is no such screen or a parameter is not one of it; what the screen throws.
    public func screen(
        _ name: String, _ parameters: KeyValuePairs<String, String> = [:], revision: Int? = nil, in language: ScreenLocale? = nil
    ) async throws -> ShownScreen {
        try await shown(
            service.catalog.view(
                of: name, parameters: parameters.map { (name: $0.key, value: $0.value) }, revision: revision.map(String.init),
                locale: language ?? service.catalog.locales[0], caller: caller
            )
        )
    }

    /// Has an action performed, and gives what became of the screen.
    ///
    /// - Throws: `InputFaults` where the input is not what the action takes; `BrokenRules` and whatever else the action throws.
    public func perform(
        _ action: String, _ input: KeyValuePairs<String, JSONValue> = [:], on screen: ShownScreen
    ) async throws -> ScreenChange {
        let request = ActionRequest(
            action: action, caller: caller, version: screen.version,
            input: .object(input.map { JSONValue.Member($0.key, $0.value) }), idempotencyKey: nil
        )
        _ = try await service.perform(request, on: screen.view)
        return try await change(of: screen)
    }

    /// What has become of a screen since it was shown.
    public func change(of screen: ShownScreen) async throws -> ScreenChange {
        try await ScreenChange(from: screen, to: shown(screen.view))
    }

    private func shown(_ view: ScreenView) async throws -> ShownScreen {
        try await ShownScreen(view, service.snapshot(of: view).value)
    }
}
