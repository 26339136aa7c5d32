import ScreenClient

// Functions that handle keys and execute the commands of the user.
extension WatchedTerminal {
    /// Handles a key.
    ///
    /// - Returns: False if the user quits.
    func press(_ key: KeyReader.Key) -> Bool {
        stopOpening()
        guard let command = state.press(key) else { return true }
        if command == .quit { return false }
        perform(command)
        return true
    }

    private func perform(_ command: WatchedState.Command) {
        switch command {
        case .open: open()
        case .offer: if let cell { state.offer(cell.actions, of: cell.id) }
        case .begin(let action): begin(action)
        case .send(let action, let title, let input): send(action, title, input)
        case .search: search()
        case .searchFor(let parameter, let text): load { screen throws(ScreenError) in try await screen.show([parameter: text]) }
        case .refresh: load { screen throws(ScreenError) in try await screen.refresh() }
        case .back:
            guard screens.count > 1 else { return }
            screens.removeLast()
            follow()
        case .sendAgain: sendAgain()
        case .discard: discardUndecided()
        case .quit: break
        }
    }

    private var cell: ListModel.Cell? {
        state.list.selected.flatMap { screen.model.place(of: $0) }.map { screen.model[$0] }
    }

    /// Begins the action of the selected cell, or opens its link.
    private func open() {
        if let cell, let action = cell.action { return begin(ChosenAction(name: action.name, cell: cell.id, input: action.input)) }
        guard let link = cell?.link else { return state.report("This row opens nothing.") }
        let parameters = Dictionary(link.parameters.fields.map { ($0.key, $0.value) }) { $1 }
        if link.screen == screen.name {
            state.changeView()
            return load { screen throws(ScreenError) in try await screen.show(parameters) }
        }
        screens.append(client.screen(link.screen, parameters))
        follow()
    }

    private func search() {
        guard let document = catalog.document else { return loadCatalog { [self] _ in search() } }
        let parameters = document.screens.first { $0.name == screen.name }?.parameters ?? []
        guard let parameter = parameters.first(where: { $0.type.format == "search" }) else {
            return state.report("This screen has no search.")
        }
        state.search(parameter.title ?? parameter.name, parameter: parameter.name, text: screen.parameters[parameter.name] ?? "")
    }

    /// Loads the screen, and reports a failure.
    private func load(_ body: @escaping @MainActor (LiveScreen) async throws(ScreenError) -> Void) {
        let screen = screen
        Task {
            do throws(ScreenError) {
                try await body(screen)
            } catch {
                if case .cancelled = error { return }
                guard screen === self.screen else { return }
                state.report(error.message(cause: transport.viewCause), endsWhenConnected: true)
                draw()
            }
        }
    }

    /// Loads the list of screens, and then passes it to `body`, unless the user has pressed another key meanwhile.
    private func loadCatalog(_ body: @escaping @MainActor (CatalogDocument) -> Void) {
        state.report("Loading the list of screens …")
        opening = Task {
            do throws(WatchFault) {
                let document = try await catalog.load()
                if Task.isCancelled { return }
                opening = nil
                state.report("")
                body(document)
            } catch {
                if Task.isCancelled { return }
                opening = nil
                state.report("Nothing was sent, because the list of screens cannot be loaded: \(error.lines.joined(separator: " "))")
            }
            draw()
        }
    }

    /// Stops waiting for the list of screens. A form that opened later would receive keys that were meant for the list of rows.
    func stopOpening() {
        guard let opening else { return }
        opening.cancel()
        self.opening = nil
        state.report("Nothing was sent.")
    }
}

// MARK: - Actions

extension WatchedTerminal {
    /// Opens the form of an action. An action whose fields are not known is never sent, because its input could be incomplete.
    private func begin(_ action: ChosenAction) {
        let screen = screen
        if let form = catalog.document?.form(of: action, on: screen.name) { return ask(form) }
        loadCatalog { [self] document in
            if let form = document.form(of: action, on: screen.name) { return ask(form) }
            state.report("The server does not offer you the action “\(action.name)”. Nothing was sent.")
        }
    }

    private func ask(_ form: ActionForm) {
        if let command = state.ask(form) { perform(command) }
    }

    /// Sends an action. If an earlier attempt with the same input has an unknown outcome, this attempt is sent again, so that the server
    /// performs the action at most once.
    private func send(_ chosen: ChosenAction, _ title: String, _ input: OrderedFields<JSONValue>) {
        let action = screen.action(chosen.name, cell: chosen.cell)
        let input = JSONValue.object(input)
        if action.isExecuting { return state.report("“\(title)” was not sent a second time.") }
        guard action.isEnabled else {
            let cell = screen.model.place(of: chosen.cell).map { screen.model[$0] }
            let isDisabled = cell?.actions.contains { $0.name == chosen.name && $0.isDisabled } ?? false
            let reason = isDisabled ? "the row does not allow it now" : "the server cannot be reached"
            return state.report("“\(title)” was not sent, because \(reason).", endsWhenConnected: !isDisabled)
        }
        let earlier = undecided[screen.name]?.attempts.first { ($0.action, $0.cell) == (chosen.name, chosen.cell) && $0.input == input }
        if let earlier { undecided[screen.name]?.attempts.removeAll { $0.key == earlier.key } }
        execute(title, on: screen) { screen throws(ActionError) in
            if let earlier { try await screen.retry(earlier) } else { try await action(input) }
        }
    }

    private func sendAgain() {
        let all = undecided.values
        undecided = [:]
        for (screen, attempts) in all {
            for attempt in attempts {
                execute(title(of: attempt, on: screen), on: screen) { screen throws(ActionError) in try await screen.retry(attempt) }
            }
        }
    }

    private func discardUndecided() {
        let all = undecided.values
        undecided = [:]
        Task {
            for (screen, attempts) in all {
                for attempt in attempts { await screen.discard(attempt) }
                // An action that ended during the removal has listed the attempts again.
                await noteUndecided(of: screen)
                draw()
            }
        }
    }

    /// Executes an action, shows that it is in progress, and reports its outcome.
    private func execute(
        _ title: String, on screen: LiveScreen, _ body: @escaping @MainActor (LiveScreen) async throws(ActionError) -> Void
    ) {
        actionCount += 1
        let id = actionCount
        state.pending.append(title)
        actions[id] = Task {
            var message = "“\(title)” was performed."
            do throws(ActionError) {
                try await body(screen)
            } catch {
                message = error.message(title: title, cause: transport.actionCause)
            }
            await noteUndecided(of: screen)
            actions[id] = nil
            state.pending.firstIndex(of: title).map { _ = state.pending.remove(at: $0) }
            state.report(message)
            draw()
        }
    }

    private func noteUndecided(of screen: LiveScreen) async {
        undecided[screen.name] = (screen, await screen.undecided())
    }

    func title(of attempt: ActionAttempt, on screen: LiveScreen) -> String {
        catalog.document?.description(of: attempt.action, on: screen.name)?.title ?? attempt.action
    }

    /// Stops all actions in progress. If a request for an action was already sent, its outcome is not known afterwards.
    func endActions() async {
        let tasks = actions.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
