import Foundation
import ScreenClient
import ScreenWire

/// Measures how long it takes to perform a received changeset of one cell on a list view with 100,000 cells. The view does no work of its
/// own, so the time includes only the work of the library.
func measurePerforming() async throws {
    let (view, update) = try await receivedUpdate()
    let repetitions = 100
    let times = try await Rounds.medians({ await view.show(update, times: repetitions) })
    guard await view.operationCount > 0 else { fatalError("an operation is expected") }
    Table.row("perform a changeset of one cell on 100,000 cells", times[0] / repetitions, atMost: .milliseconds(1))
}

/// Returns a list view that shows a snapshot, and the update that follows this snapshot.
@MainActor
private func receivedUpdate() async throws -> (IdleListView, ListUpdate) {
    let (before, after) = (ShownDocument(cells: 100_000), ShownDocument(cells: 100_000, version: "b", changed: 50_000))
    let transport = SilentTransport(document: before.bytes, changeset: try before.tree().changeset(to: after.tree()))
    let client = ScreenClient(base: URL(string: "http://benchmark")!, transport: transport, snapshots: nil, attempts: nil)
    let screen = client.screen("samples")
    try await screen.refresh()
    var updates = screen.updates.makeAsyncIterator()
    let view = IdleListView()
    if let snapshot = await updates.next() { view.show(snapshot, times: 1) }
    try await screen.refresh()
    guard let update = await updates.next(), case .stages = update.kind else { fatalError("a changeset is expected") }
    return (view, update)
}

/// A list view that only counts the operations.
@MainActor
private final class IdleListView: BatchUpdating {
    let isShown = true
    private(set) var operationCount = 0
    private var sections = ListModel.Sections()

    func show(_ update: ListUpdate, times: Int) {
        for _ in 0..<times { reload(using: update) { sections = $0 } }
    }

    func reloadData() {}

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        updates()
        completion(true)
    }

    func perform(_ operation: ListOperation) { operationCount += 1 }
}
