import Foundation
import Logging
@_exported public import Relist
import ScreenWire

/// A client for testing the content and actions of screens. It runs in the same process as the screens, without a server.
///
/// ```swift
/// let client = try await TestClient(screens: [Groceries(list: list)], store: store)
/// let change = try await client.perform("add", ["name": "Flour"], on: client.screen("groceries"))
/// #expect(change.inserted == ["Flour"])
/// ```
public struct TestClient: Sendable {
    private let service: ScreenService
    private let caller: Caller

    /// Creates a client of screens.
    ///
    /// - Parameters:
    ///   - store: the service store. The stores that the screens read must announce their commits through the `topics` of the service
    ///     store.
    ///   - user: the id of the user; nil for an anonymous caller.
    ///   - claims: the claims of the user.
    ///   - clock: the time of day, such as a `ManualClock` that the test sets.
    /// - Throws: one error with all faults of the screens.
    public init(
        screens: [any Screen], store: any ServiceStoring = ServiceStoreInMemory(), languages: [ScreenLocale] = [.english],
        user: String? = "demo", claims: Claims = Claims(), clock: any WallClock = SystemClock()
    ) async throws {
        service = try await ScreenService(
            catalog: ScreenCatalog(screens, locales: languages), store: store,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock, isStrict: true
        )
        caller = user.map { .user($0, claims: claims) } ?? .anonymous
    }

    /// Returns the current state of a screen. By default, the texts are in the first language, and the revision is the oldest one.
    ///
    /// - Throws: `ViewFault` for an unknown screen or an invalid parameter; `RepeatedIDs` if two cells or two sections have one id;
    ///   `ContentFaults` for programming errors in the content; the errors of the screen.
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

    /// Performs an action, and returns the resulting change of the screen.
    ///
    /// - Throws: `InputFaults` if the input is invalid for the action; `BrokenRules` and other errors of the action.
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

    /// Returns the change between the shown state of a screen and its current state.
    public func change(of screen: ShownScreen) async throws -> ScreenChange {
        try await ScreenChange(from: screen, to: shown(screen.view))
    }

    private func shown(_ view: ScreenView) async throws -> ShownScreen {
        let screen = try await ShownScreen(view, service.snapshot(of: view).value)
        if service.metrics.current.renamedIDs > 0 {
            let ids = screen.repeatedIDs
            if !ids.isEmpty { throw RepeatedIDs(screen: view.screen, ids: ids) }
        }
        return screen
    }
}

/// An error that is thrown if several cells, or several sections, of a screen have the same id. A server renames the repeated ones to `id#2`,
/// `id#3`, …, so their identity depends on their order.
public struct RepeatedIDs: Error, Hashable, CustomStringConvertible {
    public let screen: String
    /// The ids that occur more than once.
    public let ids: [String]

    public var description: String {
        "the screen \"\(screen)\" repeats the ids \(ids): the ids of cells must be unique in a screen, and those of sections, too"
    }
}

extension ShownScreen {
    /// The ids of cells and sections of which there is a renamed copy, such as `id#2`.
    fileprivate var repeatedIDs: [String] {
        [sections.map(\.id), cells.map(\.id)].flatMap { ids in
            let copies = Set(ids)
            return ids.filter { copies.contains("\($0)#2") }
        }
    }
}
