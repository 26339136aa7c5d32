import Observation
import ScreenClient

/// Prints a screen and its changes as lines, for an output that is not a terminal.
@MainActor
struct WatchedLines {
    private let screen: LiveScreen
    private let transport: CountingTransport

    init(_ screen: LiveScreen, _ transport: CountingTransport) {
        self.screen = screen
        self.transport = transport
    }

    /// Prints the screen once, and afterwards prints each change until the client stops after a failure.
    ///
    /// - Parameter once: A Boolean value that indicates whether to return after the screen was printed once.
    /// - Throws: `ScreenError` if the screen cannot be loaded, or if the client stops.
    func run(once: Bool) async throws {
        try await screen.refresh()
        if once { return try await printUpdates(once: true) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await screen.follow() }
            group.addTask { try await printUpdates(once: false) }
            group.addTask { try await throwWhenStopped() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func throwWhenStopped() async throws {
        for await isStopped in Observations({ screen.connection == .failed }) where isStopped {
            throw screen.problem ?? .unreachable
        }
    }

    private func printUpdates(once: Bool) async throws {
        let list = WatchedList()
        for await update in screen.updates {
            list.show(update)
            if case .snapshot = update.kind {
                try printSnapshot(update.model, list)
            } else {
                try printChanges(update.model, list)
            }
            if once { return }
        }
    }

    private func printSnapshot(_ model: ListModel, _ list: WatchedList) throws {
        if let title = model.title { try print(title.printable) }
        for row in list.rows { try print(line(row)) }
        try print("snapshot, \(transport.takeCount()) bytes")
    }

    private func printChanges(_ model: ListModel, _ list: WatchedList) throws {
        for row in list.rows { if let change = row.change { try print("\(change.rawValue) \(line(row))") } }
        if list.deletedCount > 0 { try print("- \(list.deletedCount) deleted") }
        try print("changeset, \(transport.takeCount()) bytes; snapshot, \(model.document().count) bytes")
    }

    private func line(_ row: WatchedRow) -> String {
        row.cell.map { "  \($0.shown)  \(row.text)" } ?? row.text
    }

    private func print(_ line: String) throws {
        try Output.print(Array(line.utf8))
    }
}
