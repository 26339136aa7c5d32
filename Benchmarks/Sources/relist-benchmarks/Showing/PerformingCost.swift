import Foundation
import ScreenClient
import ScreenDiff
import ScreenModel
import ScreenWire

/// Measures how long it takes to show a change of one cell in a list of 100,000 cells that a list view shows, beside the view's own work.
func measurePerforming() async throws {
    let shown = try await ShownList()
    let received = try await Rounds.medians({ try await shown.receiveChange() })[0]
    guard await shown.view.operationCount > 0 else { fatalError("an operation is expected") }
    Table.row("receive and perform a change of one cell of 100,000", received, atMost: .milliseconds(1))
    let planned = try await Rounds.medians({ await shown.planChange() })[0]
    Table.row("make the snapshot of this change for a diffable data source", planned, atMost: .milliseconds(1))
    let compared = try await Rounds.medians({ await shown.compareLists() })[0]
    Table.row("compare two lists of 100,000 cells, perform a change of one", compared)
}

/// A list view that shows a screen with 100,000 cells. The changes of its screen alternate between two documents.
@MainActor
private final class ShownList {
    let view = IdleListView()
    private let screen: LiveScreen
    private let updates: ListUpdates.AsyncIterator
    /// The last change, and the content before it.
    private var last: (model: ListModel, update: ListUpdate)?
    private let lists: [[Row]]
    /// The ids of the screen.
    private let ids: DiffableSnapshot<String, String>

    init() async throws {
        let (before, after) = (ShownDocument(cells: 100_000), ShownDocument(cells: 100_000, version: "b", changed: 50_000))
        let changesets = [try before.tree().changeset(to: after.tree()), try after.tree().changeset(to: before.tree())]
        let transport = AlternatingTransport(document: before.bytes, changesets: changesets)
        screen = ScreenClient(base: URL(string: "http://benchmark")!, transport: transport, snapshots: nil, attempts: nil)
            .screen("samples")
        try await screen.refresh()
        updates = screen.updates.makeAsyncIterator()
        lists = ["", "!"].map { mark in (0..<100_000).map { Row(id: "7534-\($0)", title: $0 == 50_000 ? mark : "") } }
        ids = DiffableSnapshot(DiffablePlan(from: nil, to: screen.model), shown: DiffableSnapshot())
        try await show()
    }

    /// Receives a change, and performs it. Meanwhile the view holds the list that it shows.
    func receiveChange() async throws {
        try await screen.refresh()
        try await show()
    }

    private func show() async throws {
        var updates = updates
        guard let update = await updates.next(isolation: MainActor.shared) else { throw CancellationError() }
        last = (view.model ?? update.model, update)
        view.show(update)
    }

    func planChange() {
        guard let last, case .stages = last.update.kind else { fatalError("a changeset is expected") }
        let snapshot = DiffableSnapshot(DiffablePlan(from: last.model, to: last.update), shown: ids)
        guard snapshot.numberOfItems == 100_000, snapshot != ids else { fatalError("all cells and a mark are expected") }
        consume(snapshot)
    }

    func compareLists() {
        view.reload(using: StagedChangeset(source: lists[0], target: lists[1])) { consume($0) }
    }
}

/// A cell of an app that compares two lists.
private struct Row: Differentiable, Hashable, ReuseIdentifying {
    let id: String
    let title: String

    var differenceIdentifier: String { id }
    var reuseIdentifier: String { "row" }
}

/// A transport that responds with a snapshot at first, and then with two changesets in turn.
private actor AlternatingTransport: ClientTransport {
    private let document: [UInt8]
    private let changesets: [[UInt8]]
    private var number = 0

    init(document: [UInt8], changesets: [[UInt8]]) {
        (self.document, self.changesets) = (document, changesets)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let headers = [("Content-Type", "application/json")]
        if request.method != "POST" { return TransportResponse(status: 200, headers: headers, body: document) }
        defer { number += 1 }
        return TransportResponse(status: 200, headers: headers, body: changesets[number % 2])
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream { throw CancellationError() }
}

/// A list view that performs operations without any work, and holds the sections that it shows.
@MainActor
private final class IdleListView: BatchUpdating {
    let isShown = true
    private(set) var operationCount = 0
    private(set) var model: ListModel?
    private var sections = ListModel.Sections()

    func show(_ update: ListUpdate) {
        reload(using: update) { sections = $0 }
        model = update.model
    }

    func reloadData() {}

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        updates()
        completion(true)
    }

    func perform(_ operation: ListOperation) { operationCount += 1 }
}
