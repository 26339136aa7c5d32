import ExampleRecords
import ExampleScreens
import Logging
import ScreenService
import ScreenTesting
import ScreenWire
import Testing

/// Runs `body` with a service of one screen. The service has a new store with the examples of the screen.
func withService<Transaction: ExampleTransaction>(
    _ transaction: Transaction.Type, _ screen: (Store<Transaction>) -> any Screen,
    _ body: (ExampleService<Transaction>) async throws -> Void
) async throws {
    try await withDatabase(of: transaction) { database in
        let store = Store<Transaction>(in: database)
        let service = try await ScreenService(
            catalog: try ScreenCatalog([screen(store)], locales: [.english, .french]), store: database,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await body(ExampleService(store: store, service: service))
    }
}

/// A service with one example screen, together with the store of the screen.
struct ExampleService<Transaction: ExampleTransaction>: Sendable {
    let store: Store<Transaction>
    fileprivate let service: ScreenService

    /// Returns the current snapshot of a screen.
    func snapshot(of screen: String, _ parameters: [String: String] = [:]) async throws -> Document {
        try await service.snapshot(of: view(of: screen, parameters)).value
    }

    /// Requests the changes between two views of a screen with different parameters.
    ///
    /// Applies the changeset to the snapshot of the first view by the rules of the protocol, and by the rules of list views. The result
    /// must be the snapshot of the second view.
    ///
    /// - Throws: an error if the response is not a changeset.
    func changes(
        of screen: String, from old: [String: String], to new: [String: String]
    ) async throws -> JSONValue {
        let held = try await snapshot(of: screen, old)
        let answer = try await service.changes(of: view(of: screen, new), from: held.version).value
        let changeset = try JSONReader.read(answer.bytes)
        let (stages, source) = (try ChangesetTree(changeset), try SnapshotTree(JSONReader.read(held.bytes)))
        for kind in ListViewKind.allCases { try StrictStages.check(stages, on: source, in: kind) }
        let playback = try Playback(of: stages, on: source)
        let target = try await snapshot(of: screen, new)
        let result = playback.result.document()
        #expect(String(decoding: result.bytes, as: UTF8.self) == String(decoding: target.bytes, as: UTF8.self))
        return changeset
    }

    /// The number of models that the service has computed.
    var computations: Int { service.metrics.current.computations }

    /// Performs an action.
    ///
    /// - Parameter input: the input of the action, as JSON.
    func perform(_ action: String, of screen: String, _ parameters: [String: String], _ input: String) async throws {
        let input = try JSONReader.read(Array(input.utf8))
        let request = ActionRequest(action: action, caller: .user("demo"), version: nil, input: input, idempotencyKey: nil)
        _ = try await service.perform(request, on: view(of: screen, parameters))
    }

    private func view(of screen: String, _ parameters: [String: String]) throws -> ScreenView {
        try service.catalog.view(
            of: screen, parameters: parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, locale: .english,
            caller: .user("demo")
        )
    }
}

/// Properties and functions that read the operations of a changeset from its JSON.
extension JSONValue {
    /// The names of all operations, in the order of the changeset.
    var operations: [String] {
        self["stages"].elements.flatMap { stage in
            guard case .object(let members) = stage else { return [String]() }
            return members.map(\.name)
        }
    }

    /// Returns the operations with the given name, in the order of the changeset.
    func operations(_ name: String) -> [JSONValue] {
        self["stages"].elements.flatMap { $0[name].elements }
    }

    /// The ids of the inserted cells, including the cells of inserted sections.
    var insertedIDs: Set<String> {
        let runs = operations("insertCells") + operations("insertSections").compactMap { $0["section"] }
        return Set(runs.flatMap { $0["cells"].elements }.compactMap { $0["id"]?.text })
    }

    var text: String {
        if case .string(let text) = self { text } else { "" }
    }
}

extension JSONValue? {
    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
