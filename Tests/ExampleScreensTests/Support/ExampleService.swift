import ExampleScreens
import ExampleRecords
import Logging
import ScreenService
import ScreenWire
import Testing

/// Runs `body` with a service of one screen, whose new store has the examples in it.
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

/// A service of an example screen, which a test asks as clients do.
struct ExampleService<Transaction: ExampleTransaction>: Sendable {
    let store: Store<Transaction>
    fileprivate let service: ScreenService

    /// The snapshot of a screen.
    func snapshot(of screen: String, _ parameters: [String: String] = [:]) async throws -> Document {
        try await service.snapshot(of: view(of: screen, parameters)).value
    }

    /// What a client gets that holds a screen with some parameters and asks for it with others.
    ///
    /// It is played on the snapshot that the client holds, which checks the rules of the protocol, and
    /// has to lead exactly to the snapshot that a client gets who holds nothing.
    ///
    /// - Throws: where the answer is no changeset.
    func changes(
        of screen: String, from old: [String: String], to new: [String: String]
    ) async throws -> Changes {
        let held = try await snapshot(of: screen, old)
        let answer = try await service.changes(of: view(of: screen, new), from: held.version).value
        let changeset = try JSONReader.read(answer.bytes)
        let playback = try Playback(of: ChangesetTree(changeset), on: SnapshotTree(JSONReader.read(held.bytes)))
        let target = try await snapshot(of: screen, new)
        let result = playback.result.document()
        #expect(String(decoding: result.bytes, as: UTF8.self) == String(decoding: target.bytes, as: UTF8.self))
        return Changes(stages: elements(changeset["stages"]))
    }

    /// How many models were computed until now.
    var computations: Int { service.metrics.current.computations }

    /// Performs an action.
    ///
    /// - Parameter input: the fields, as JSON.
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

/// What a changeset does. That it tears down no cell that stays was checked when it was played.
struct Changes {
    let stages: [JSONValue]

    /// The names of all operations, in their order.
    var verbs: [String] {
        stages.flatMap { stage in
            guard case .object(let members) = stage else { return [String]() }
            return members.map(\.name)
        }
    }

    /// The ids of the cells that come, in sections of their own or not.
    var comingIDs: Set<String> {
        let inserts = stages.flatMap { stage in
            elements(stage["insertCells"]) + elements(stage["insertSections"]).compactMap { $0["section"] }
        }
        return Set(inserts.flatMap { elements($0["cells"]) }.map { text($0["id"]) })
    }
}

func elements(_ value: JSONValue?) -> [JSONValue] {
    guard case .array(let elements)? = value else { return [] }
    return elements
}

func text(_ value: JSONValue?) -> String {
    guard case .string(let text)? = value else { return "" }
    return text
}
