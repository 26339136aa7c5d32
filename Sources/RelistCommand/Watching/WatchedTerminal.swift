import Observation
import ScreenClient

/// Shows a live screen in the terminal. Colours mark the rows that changed, and the user performs actions with keys.
@MainActor
final class WatchedTerminal {
    private let client: ScreenClient
    private let transport: CountingTransport
    private let terminal = Terminal()
    private var catalog: CatalogDocument?
    private var screens: [LiveScreen]
    private var rows: [WatchedRow] = []
    private var selected: String?
    /// A text about the last update, with its size in bytes.
    private var change = ""
    /// A message to the user, such as the result of the last action.
    private var message = ""
    private var prompt: Prompt?
    private var tasks: [Task<Void, Never>] = []

    /// A line of input from the user. The text of a search is sent each time the user types a letter.
    private struct Prompt {
        let title: String
        var text = ""
        var changed: (@MainActor (String) -> Void)?
        let entered: @MainActor (String) -> Void
    }

    private let loadCatalog: @MainActor () async -> CatalogDocument?

    init(
        _ client: ScreenClient, _ screen: LiveScreen, _ transport: CountingTransport,
        loadCatalog: @escaping @MainActor () async -> CatalogDocument?
    ) {
        self.client = client
        self.loadCatalog = loadCatalog
        self.transport = transport
        screens = [screen]
    }

    private var screen: LiveScreen { screens[screens.count - 1] }

    /// Shows the screen until the user quits.
    func run() async throws {
        defer { terminal.restore() }
        watch()
        Task { catalog = await loadCatalog() }
        for await key in terminal.keys {
            if key == .end || (key == .character("q") && prompt == nil) { break }
            press(key)
            draw()
        }
        for task in tasks { task.cancel() }
    }

    /// Follows the screen that was opened last.
    private func watch() {
        for task in tasks { task.cancel() }
        let screen = screen
        (rows, selected, change) = ([], nil, "")
        tasks = [
            Task { await screen.follow() },
            Task { [weak self] in
                let list = WatchedList()
                for await update in screen.updates { self?.show(update, in: list) }
            },
            Task { await drawStates(of: screen) },
        ]
    }

    /// Draws the terminal each time that the state of the connection changes.
    private func drawStates(of screen: LiveScreen) async {
        for await _ in Observations({ (screen.connection, screen.isStale, screen.problem == nil) }) { draw() }
    }

    private func show(_ update: ListUpdate, in list: WatchedList) {
        list.show(update)
        rows = list.rows
        let bytes = transport.takeCount()
        let snapshot = update.model.version == nil ? 0 : update.model.document().count
        if case .stages = update.kind {
            let share = snapshot > 0 ? " (\(100 * bytes / snapshot) %)" : ""
            change =
                "\(bytes) bytes, a snapshot has \(snapshot)\(share)" + (list.deletedCount > 0 ? ", \(list.deletedCount) deleted" : "")
        } else if snapshot > 0 {
            change = "snapshot, \(bytes) bytes"
        }
        draw()
    }
}

// MARK: - Drawing

extension WatchedTerminal {
    private func draw() {
        let (height, width) = terminal.size
        let cells = rows.indices.filter { rows[$0].cell != nil }
        if selected == nil || !rows.contains(where: { $0.cell == selected }) { selected = cells.first.flatMap { rows[$0].cell } }
        let index = rows.firstIndex { $0.cell == selected } ?? 0
        let room = max(1, height - 4)
        let first = min(max(0, index - room / 2), max(0, rows.count - room))
        var lines = ["\u{1B}[1m\((screen.model.title ?? screen.name).printable)\u{1B}[0m  \(state)".cut(width + 8)]
        for row in rows.dropFirst(first).prefix(room) {
            let text = (row.cell == nil ? "" : row.change.map { "\($0.rawValue) " } ?? "  ") + row.text
            lines.append((row.cell == selected && row.cell != nil ? "\u{1B}[7m" : "") + row.color + text.cut(width))
        }
        lines += Array(repeating: "", count: max(0, height - 3 - lines.count))
        lines.append("\u{1B}[2m" + change.cut(width))
        lines.append(message.printable.cut(width))
        let help = "↑ ↓ select   ⏎ open   a actions   / search   b back   r refresh   q quit"
        lines.append(prompt.map { "\($0.title.printable): \($0.text)▏".cut(width) } ?? "\u{1B}[2m" + help.cut(width))
        terminal.show(lines)
    }

    private var state: String {
        let text =
            switch screen.connection {
            case .idle: "not followed"
            case .requesting: "connecting …"
            case .streaming: "live"
            case .polling: "live, by waiting requests"
            case .waiting: "offline, tries again"
            case .failed: "stopped"
            case .paused: "paused"
            }
        let stale = screen.isStale ? ", outdated" : screen.isStored ? ", stored" : ""
        let problem = screen.problem.map { ": \($0.message)" } ?? ""
        return text + stale + problem
    }
}

extension WatchedRow {
    fileprivate var color: String {
        switch change {
        case .inserted: "\u{1B}[32m"
        case .updated: "\u{1B}[33m"
        case .moved: "\u{1B}[36m"
        case nil: cell == nil ? "\u{1B}[2m" : ""
        }
    }
}

extension String {
    /// Returns the first `count` characters of the text. A wide character can take more than one column.
    fileprivate func cut(_ count: Int) -> String { String(prefix(count)) }
}

// MARK: - Keys

extension WatchedTerminal {
    private func press(_ key: Terminal.Key) {
        if prompt != nil { return edit(key) }
        switch key {
        case .up, .character("k"): select(-1)
        case .down, .character("j"): select(1)
        case .enter: open()
        case .character("a"): offer()
        case .character("/"): search()
        case .character("r"): perform { try await $0.refresh() }
        case .character("b"), .backspace, .escape:
            if screens.count > 1 {
                screens.removeLast()
                watch()
            }
        default: break
        }
    }

    private func edit(_ key: Terminal.Key) {
        switch key {
        case .escape: prompt = nil
        case .enter:
            let ended = prompt
            prompt = nil
            ended?.entered(ended?.text ?? "")
        case .backspace:
            if prompt?.text.isEmpty == false { prompt?.text.removeLast() }
            prompt?.changed?(prompt?.text ?? "")
        case .character(let character):
            prompt?.text.append(character)
            prompt?.changed?(prompt?.text ?? "")
        case .up, .down, .end: break
        }
    }

    private func select(_ step: Int) {
        let ids = rows.compactMap(\.cell)
        guard let index = ids.firstIndex(where: { $0 == selected }) else { return }
        selected = ids[min(max(0, index + step), ids.count - 1)]
    }

    private var cell: ListModel.Cell? {
        selected.flatMap { screen.model.place(of: $0) }.map { screen.model[$0] }
    }

    /// Performs the action of the selected cell, or opens its link.
    private func open() {
        if let action = cell?.action { return ask(action.name, .object(action.input)) }
        guard let link = cell?.link else { return message = "This row opens nothing." }
        let parameters = Dictionary(link.parameters.fields.map { ($0.key, $0.value) }) { $1 }
        if link.screen == screen.name {
            perform { try await $0.show(parameters) }
        } else {
            screens.append(client.screen(link.screen, parameters))
            watch()
        }
    }

    /// Asks which of the selected cell's actions to perform.
    private func offer() {
        let offered = (cell?.actions ?? []).filter { !$0.isDisabled }
        guard !offered.isEmpty else { return message = "This row offers no actions." }
        let list = offered.enumerated().map { "\($0 + 1) \($1.title)" }.joined(separator: "  ")
        prompt = Prompt(title: list) { [weak self] text in
            guard let number = Int(text), offered.indices.contains(number - 1) else { return }
            self?.ask(offered[number - 1].name, .object(offered[number - 1].input))
        }
    }

    /// Asks for the fields that the user fills in, one after another, and performs the action.
    private func ask(_ name: String, _ input: JSONValue) {
        let action = catalog?.screens.first { $0.name == screen.name }?.actions.first { $0.name == name }
        ask(action?.input.filter { $0.source == "user" } ?? [], name, input)
    }

    private func ask(_ fields: [CatalogDocument.Field], _ name: String, _ input: JSONValue) {
        guard let field = fields.first else {
            return perform { try await $0.action(name)(input) }
        }
        prompt = Prompt(title: field.title) { [weak self] text in
            var members: [JSONValue.Member] = if case .object(let members) = input { members } else { [] }
            members.removeAll { $0.name == field.name }
            if !text.isEmpty || field.isRequired { members.append(JSONValue.Member(field.name, field.type.value(of: text))) }
            self?.ask(Array(fields.dropFirst()), name, .object(members))
        }
    }

    private func search() {
        let screen = screen
        let parameters = catalog?.screens.first { $0.name == screen.name }?.parameters ?? []
        guard let parameter = parameters.first(where: { $0.type.format == "search" }) else { return message = "This screen has no search." }
        prompt = Prompt(
            title: parameter.title ?? parameter.name, text: screen.parameters[parameter.name] ?? "",
            changed: { text in Task { try? await screen.show([parameter.name: text]) } }, entered: { _ in })
    }

    private func perform(_ body: @escaping @MainActor (LiveScreen) async throws -> Void) {
        let screen = screen
        message = ""
        Task {
            do {
                try await body(screen)
            } catch let error as ActionError {
                message = error.message
            } catch {
                message = (error as? ScreenError)?.message ?? "\(error)"
            }
            draw()
        }
    }
}

extension ActionError {
    fileprivate var message: String {
        switch self {
        case .disabled: "The action cannot be performed now."
        case .notStored(let error): "The action was not sent: \(error)"
        case .invalid(let problem): ScreenError.problem(problem).message
        case .rejected(let error): error.message
        case .undecided(let error): "It is not known whether the action was performed: \(error.message)"
        }
    }
}

extension CatalogDocument.ValueType {
    /// Returns the value that a user typed. A text that is not a number is returned as text, so that the server reports the fault.
    fileprivate func value(of text: String) -> JSONValue {
        switch name {
        case "integer", "number": if case .number? = try? JSONReader.read(Array(text.utf8)) { .number(text) } else { .string(text) }
        case "boolean": .bool(["y", "yes", "true", "1"].contains(text.lowercased()))
        default: .string(text)
        }
    }
}
