import Observation
import ScreenClient

/// Prints a screen and its changes as lines, for an output that is not a terminal.
@MainActor
struct WatchedLines {
    private let screen: LiveScreen
    private let transport: ObservedTransport
    /// The language of the screen, or `nil` if it is not known.
    private let locale: String?

    init(_ screen: LiveScreen, _ transport: ObservedTransport, locale: String?) {
        self.screen = screen
        self.transport = transport
        self.locale = locale
    }

    /// Prints the screen once, and afterwards prints each change until the client stops after a failure.
    ///
    /// - Parameter once: A Boolean value that indicates whether to return after the screen was printed once.
    /// - Throws: ``WatchFault`` if the screen cannot be loaded, or if the client stops.
    func run(once: Bool) async throws {
        try await first(of: { try await load() }, { try await throwWithoutSnapshot() })
        if once { return try await printUpdates(once: true) }
        try await first(
            of: { await screen.follow() }, { try await printUpdates(once: false) }, { try await throwWhenStopped() },
            { await reportConnection() })
    }

    /// Runs functions concurrently until one of them ends.
    private func first(of bodies: @MainActor () async throws -> Void...) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for body in bodies { group.addTask { try await body() } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func load() async throws {
        do throws(ScreenError) { try await screen.refresh() } catch { throw WatchFault.failed(error, cause: transport.viewCause) }
    }

    /// Throws an error when the client pauses before the screen has content. Without this check, a server that sends changesets instead of
    /// a snapshot would keep `load()` waiting for ever.
    private func throwWithoutSnapshot() async throws {
        for await connection in Observations({ screen.connection }) {
            if case .waiting = connection, !screen.hasContent { throw WatchFault.noSnapshot }
        }
    }

    private func throwWhenStopped() async throws {
        for await isStopped in Observations({ screen.connection == .failed }) where isStopped {
            throw WatchFault.failed(screen.problem ?? .unreachable, cause: transport.viewCause)
        }
    }

    private func reportConnection() async {
        var report = ConnectionReport()
        for await state in Observations({ ConnectionState(of: screen, transport) }) {
            if state.connection != .failed, let line = report.line(for: state) { Output.complain([line]) }
        }
    }

    private func printUpdates(once: Bool) async throws {
        let list = WatchedList(locale: locale)
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
        row.cell.map { "  \($0.shown.printable)  \(row.text)" } ?? row.text
    }

    private func print(_ line: String) throws {
        try Output.print(Array(line.utf8))
    }
}
