import Foundation
import Observation
import ScreenClient

/// Shows a live screen in the terminal. Colours mark the rows that changed, and the user performs actions with keys.
@MainActor
final class WatchedTerminal {
    let client: ScreenClient
    let transport: ObservedTransport
    let catalog: WatchedCatalog
    /// The language of the screens, or `nil` if it is not known.
    private let locale: String?
    private let terminal = Terminal()
    /// The open screens. Each screen except the first was opened with a link on the screen before it.
    var screens: [LiveScreen]
    var state = WatchedState()
    /// The tasks that follow the screen that was opened last.
    private var following: [Task<Void, Never>] = []
    /// The task that waits until the text of a date changes.
    private var ticking: Task<Void, Never>?
    /// The task that loads the list of screens, and then opens a form or a search.
    var opening: Task<Void, Never>?
    /// The tasks of the actions in progress, by their numbers.
    var actions: [Int: Task<Void, Never>] = [:]
    var actionCount = 0
    /// The actions whose outcome is not known, by the name of their screen.
    var undecided: [String: (screen: LiveScreen, attempts: [ActionAttempt])] = [:] {
        didSet { state.undecided = undecided.values.flatMap { screen, attempts in attempts.map { title(of: $0, on: screen) } } }
    }

    init(
        _ client: ScreenClient, _ screen: LiveScreen, _ transport: ObservedTransport, _ catalog: WatchedCatalog, locale: String?
    ) {
        self.client = client
        self.locale = locale
        self.transport = transport
        self.catalog = catalog
        screens = [screen]
    }

    var screen: LiveScreen { screens[screens.count - 1] }

    /// Shows the screen until the user quits.
    ///
    /// - Throws: ``WatchFault`` if the outcome of an action is not known, or if the client has stopped.
    func run() async throws(WatchFault) {
        follow()
        let loading = Task { _ = try? await catalog.load() }
        events: for await event in terminal.events {
            switch event {
            case .key(let key): if !press(key) { break events }
            case .resized: break
            case .end: break events
            }
            draw()
        }
        stopOpening()
        loading.cancel()
        for task in following { task.cancel() }
        ticking?.cancel()
        await endActions()
        terminal.restore()
        if !state.undecided.isEmpty { throw .undecided(state.undecided) }
        if screen.connection == .failed { throw .failed(screen.problem ?? .unreachable, cause: transport.viewCause) }
    }

    /// Follows the screen that was opened last.
    func follow() {
        for task in following { task.cancel() }
        ticking?.cancel()
        stopOpening()
        state.openScreen()
        let screen = screen
        following = [
            Task { await screen.follow() },
            Task { [weak self, locale] in
                let list = WatchedList(locale: locale)
                for await update in screen.updates { self?.show(update, in: list) }
            },
            Task { await drawConnection(of: screen) },
        ]
    }

    /// Draws the terminal each time that the state of the connection changes.
    private func drawConnection(of screen: LiveScreen) async {
        var wasOffline = false
        for await connection in Observations({ [transport] in ConnectionState(of: screen, transport) }) {
            if let freshness = connection.freshness {
                if wasOffline, freshness != .offline { state.connect() }
                wasOffline = freshness == .offline
            }
            draw()
        }
    }

    private func show(_ update: ListUpdate, in list: WatchedList) {
        list.show(update)
        let (rows, until) = list.rows(at: .now)
        state.show(rows)
        tick(list, at: until)
        let bytes = transport.takeCount()
        let snapshot = update.model.version == nil ? 0 : update.model.document().count
        if case .stages = update.kind {
            let share = snapshot > 0 ? " (\(100 * bytes / snapshot) %)" : ""
            let deleted = list.deletedCount > 0 ? ", \(list.deletedCount) deleted" : ""
            state.change = "\(bytes) bytes, a snapshot has \(snapshot)\(share)\(deleted)"
        } else if snapshot > 0 {
            state.change = "snapshot, \(bytes) bytes"
        }
        draw()
    }

    /// Draws the rows again at the time at which the text of a date changes.
    private func tick(_ list: WatchedList, at time: Date?) {
        ticking?.cancel()
        guard let time else { return }
        ticking = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(time.timeIntervalSinceNow))) != nil, let self else { return }
            let (rows, until) = list.rows(at: .now)
            state.updateTexts(from: rows)
            draw()
            tick(list, at: until)
        }
    }

    func draw() {
        let (rows, columns) = terminal.size
        let connection = ConnectionState(of: screen, transport).text
        terminal.show(
            WatchedPage(rows: rows, columns: columns).lines(of: state, title: screen.model.title ?? screen.name, connection: connection))
    }
}
