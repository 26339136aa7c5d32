import ScreenClient

/// The state of the terminal. Handling a key changes the state, and can return a command for the code that controls the connection and the
/// terminal.
struct WatchedState {
    /// The number of cells by which PgUp and PgDn move the selection.
    private static let pageLength = 20

    enum Command: Equatable {
        /// Perform the action of the selected cell, or open its link.
        case open
        /// Offer the actions of the selected cell.
        case offer
        /// Prepare the form of an action.
        case begin(ChosenAction)
        /// Send an action with the input of its form.
        case send(ChosenAction, title: String, input: OrderedFields<JSONValue>)
        case search
        /// Set the parameter with this name to the text of the search.
        case searchFor(parameter: String, text: String)
        case refresh
        case back
        /// Send all actions with an unknown outcome again.
        case sendAgain
        /// Discard all actions with an unknown outcome.
        case discard
        case quit
    }

    /// A line of input from the user.
    struct Prompt {
        let title: String
        var text = ""
        let purpose: Purpose

        enum Purpose {
            case choice([ChosenAction])
            case form(ActionForm)
            /// The complete form of a destructive action.
            case confirmation(ActionForm)
            /// The parameter for the text of the search. The text is sent after each key.
            case search(parameter: String)
        }

        /// The text as the terminal shows it. A password is shown as dots.
        var shownText: String {
            guard case .form(let form) = purpose, form.field?.type.format == "password" else { return text }
            return String(repeating: "•", count: text.count)
        }
    }

    private(set) var list = SelectableRows()
    /// A description of the last update, with the size of the update in bytes.
    var change = ""
    private(set) var prompt: Prompt?
    /// The result of the last command, or another message to the user.
    private(set) var message = ""
    /// A Boolean value that indicates whether the message is about the connection. Such a message is removed when the server is reached
    /// again.
    private var endsWhenConnected = false
    /// The titles of the actions in progress.
    var pending: [String] = []
    /// The titles of the actions whose outcome is not known.
    var undecided: [String] = []

    /// A line about the actions in progress, and about those whose outcome is not known.
    var actions: String {
        let pending = pending.isEmpty ? "" : "\(Self.list(pending)) in progress …"
        let question = "The outcome of \(Self.list(undecided)) is not known: s sends again, d dismisses."
        return [pending, undecided.isEmpty ? "" : question].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func list(_ titles: [String]) -> String {
        titles.map { "“\($0)”" }.joined(separator: ", ")
    }

    mutating func report(_ text: String, endsWhenConnected: Bool = false) {
        (message, self.endsWhenConnected) = (text, endsWhenConnected)
    }

    /// Removes a message that is no longer true, because the server was reached again.
    mutating func connect() {
        if endsWhenConnected { report("") }
    }

    /// Begins to show another screen. The actions of the earlier screen remain in progress.
    mutating func openScreen() {
        (list, change, prompt) = (SelectableRows(), "", nil)
        report("")
    }

    /// Prepares for the rows of another view of the same screen.
    mutating func changeView() {
        list.expectOtherRows()
    }

    mutating func updateTexts(from rows: [WatchedRow]) {
        list.updateTexts(from: rows)
    }

    mutating func show(_ rows: [WatchedRow]) {
        list.replace(with: rows)
        if list.hasLostSelection, prompt == nil { report("The selected row was deleted.") }
    }
}

// MARK: - Prompts

extension WatchedState {
    /// Asks which of the selected cell's actions to perform.
    mutating func offer(_ actions: [OfferedAction], of cell: String) {
        let offered = actions.filter { !$0.isDisabled }
        guard !offered.isEmpty else { return report("This row offers no actions.") }
        let titles = offered.enumerated().map { "\($0 + 1) \($1.title)" }.joined(separator: "  ")
        let chosen = offered.map { ChosenAction(name: $0.name, cell: cell, input: $0.input, isDestructive: $0.isDestructive) }
        prompt = Prompt(title: titles, purpose: .choice(chosen))
    }

    /// Asks for the next field of a form.
    ///
    /// - Returns: The command that sends the action if its form is complete.
    mutating func ask(_ form: ActionForm) -> Command? {
        if form.field != nil {
            prompt = Prompt(title: form.prompt, text: form.text, purpose: .form(form))
        } else if form.action.isDestructive {
            prompt = Prompt(title: "\(form.title)? (y or n)", purpose: .confirmation(form))
        } else {
            return send(form)
        }
        return nil
    }

    private func send(_ form: ActionForm) -> Command {
        .send(form.action, title: form.title, input: form.input)
    }

    mutating func search(_ title: String, parameter: String, text: String) {
        prompt = Prompt(title: title, text: text, purpose: .search(parameter: parameter))
    }

    private mutating func edit(_ prompt: Prompt, _ key: KeyReader.Key) -> Command? {
        var prompt = prompt
        switch key {
        case .escape: return close(prompt)
        case .enter: return enter(prompt)
        case .backspace: prompt.text = String(prompt.text.dropLast())
        case .clear: prompt.text = ""
        case .character(let character): prompt.text.append(character)
        case .up, .down, .pageUp, .pageDown, .top, .bottom: return nil
        case .end: return .quit
        }
        self.prompt = prompt
        guard case .search(let parameter) = prompt.purpose else { return nil }
        changeView()
        return .searchFor(parameter: parameter, text: prompt.text)
    }

    private mutating func close(_ prompt: Prompt) -> Command? {
        self.prompt = nil
        switch prompt.purpose {
        case .form(let form), .confirmation(let form): report("“\(form.title)” was not sent.")
        case .choice, .search: break
        }
        return nil
    }

    private mutating func enter(_ prompt: Prompt) -> Command? {
        self.prompt = nil
        switch prompt.purpose {
        case .choice where prompt.text.isEmpty: return nil
        case .choice(let actions):
            guard let action = actions.choice(numbered: prompt.text) else {
                report("There is no action \(prompt.text). Nothing was sent.")
                return nil
            }
            return .begin(action)
        case .form(var form):
            guard form.accepts(prompt.text) else {
                report("“\(prompt.text)” is none of the choices.")
                return ask(form)
            }
            report("")
            form.enter(prompt.text)
            return ask(form)
        case .confirmation(let form):
            return ["y", "yes"].contains(prompt.text.lowercased()) ? send(form) : close(prompt)
        case .search: return nil
        }
    }
}

// MARK: - Keys

extension WatchedState {
    /// Handles a key.
    ///
    /// - Returns: The command that the user gave with the key.
    mutating func press(_ key: KeyReader.Key) -> Command? {
        if let prompt { return edit(prompt, key) }
        switch key {
        case .up, .character("k"): return select(-1)
        case .down, .character("j"): return select(1)
        case .pageUp: return select(-Self.pageLength)
        case .pageDown: return select(Self.pageLength)
        case .top, .character("g"): return select(-list.rows.count)
        case .bottom, .character("G"): return select(list.rows.count)
        default: break
        }
        report("")
        switch key {
        case .enter: return onSelection(.open)
        case .character("a"): return onSelection(.offer)
        case .character("/"): return .search
        case .character("r"): return .refresh
        case .character("b"), .backspace, .escape: return .back
        case .character("s"): return undecided.isEmpty ? nil : .sendAgain
        case .character("d"): return undecided.isEmpty ? nil : .discard
        case .character("q"), .end: return .quit
        default: return nil
        }
    }

    private mutating func select(_ step: Int) -> Command? {
        if list.hasLostSelection { report("") }
        list.select(step)
        return nil
    }

    /// Returns a command for the selected cell. If the cell that was selected before has been deleted, the first key only confirms the new
    /// selection, because the user may have meant the deleted cell.
    private mutating func onSelection(_ command: Command) -> Command? {
        defer { list.confirmSelection() }
        guard list.hasLostSelection else { return command }
        report("The row that was selected has been deleted. Press the key again for the row that is selected now.")
        return nil
    }
}
