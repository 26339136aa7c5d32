public import Observation
import ScreenModel
import ScreenWire

/// A screen whose content is kept current.
///
/// The properties can be read at any time and observed with Observation. ``updates`` reports each change with its stages. A property has
/// its new value before the change is reported.
///
/// After a failure, a followed screen pauses before each attempt. A pause takes at most half a minute more than the server requested. Until
/// the pause ends, the screen does not notice that the server can be reached again. ``ScreenClient/networkChanged()`` ends the pause.
@MainActor
public final class LiveScreen: Observable {
    /// The name of the screen.
    public let name: String
    let client: ScreenClient
    let registrar = ObservationRegistrar()
    var machine = ClientMachine()
    /// The address of the view, with the parameters of the last ``show(_:)``.
    private(set) var view: ViewAddress
    private var tree: SnapshotTree?
    /// The address of the view whose content is in `tree`. It differs from ``view`` until the response to ``show(_:)`` arrives.
    private var shownView: ViewAddress
    /// The error of the last request for the view, if it failed.
    var viewError: ScreenError?
    /// The error of the last request for an action, if it failed.
    var actionError: ScreenError?
    private var isRestored = false
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var followers = 0

    /// The event that is being handled, followed by the events that wait.
    private var events: [(ClientMachine.Event, ScreenDocument?)] = []
    var tasks: [ClientMachine.RequestID: Task<Void, Never>] = [:]
    private var timers: [ClientMachine.RequestID: Task<Void, Never>] = [:]
    var renewal: Task<Void, Never>?
    /// The token of the last request that the server rejected with 401.
    var refusedToken: String?
    private let writer: SnapshotWriter
    /// The calls that wait for the end of a load, by their numbers.
    private var loads: [Int: CheckedContinuation<ScreenError?, Never>] = [:]
    private var loadCount = 0
    /// A Boolean value that indicates whether the screen was followed before a reset that is in progress.
    private var continuesAfterReset = false
    /// The executions of actions in progress, by idempotency key.
    var executions: [String: Execution] = [:]
    /// The task that stores the last attempt.
    var storing: Task<Void, Never>?
    /// The mailboxes of the consumers of ``updates``.
    var mailboxes: [WeakMailbox] = []
    /// The list views that show the screen.
    var presenters: [WeakPresenter] = []

    init(_ view: ViewAddress, client: ScreenClient) {
        name = view.screen
        self.view = view
        shownView = view
        self.client = client
        writer = SnapshotWriter(client)
        start = clock.now
    }

    deinit {
        for task in tasks.values { task.cancel() }
        for timer in timers.values { timer.cancel() }
        renewal?.cancel()
        for mailbox in mailboxes { mailbox.mailbox?.close() }
    }
}

// MARK: - Observed values

extension LiveScreen {
    /// The content of the screen. It has no sections before the first content has arrived.
    public var model: ListModel {
        registrar.access(self, keyPath: \.model)
        return ListModel(tree, registry: client.registry)
    }

    /// A Boolean value that indicates whether there is content to show.
    public var hasContent: Bool {
        registrar.access(self, keyPath: \.model)
        return tree != nil
    }

    /// The state of the connection to the server.
    public var connection: Connection {
        registrar.access(self, keyPath: \.connection)
        return switch machine.connection {
        case .idle: .idle
        case .requesting: .requesting
        case .streaming: .streaming
        case .polling: .polling
        case .waiting(let until): .waiting(until: start + until)
        case .failed: .failed
        case .paused: .paused
        }
    }

    /// A Boolean value that indicates whether the content was read from the device and has not been confirmed by the server yet.
    public var isStored: Bool {
        registrar.access(self, keyPath: \.connection)
        return machine.isStored
    }

    /// A Boolean value that indicates whether the content can be outdated, because the server reported that it cannot refresh the view.
    public var isStale: Bool {
        registrar.access(self, keyPath: \.connection)
        return machine.isStale
    }

    /// The failure that makes the client wait or that stopped it. The value is `nil` in all other states.
    public var problem: ScreenError? {
        registrar.access(self, keyPath: \.connection)
        return switch machine.connection {
        case .waiting, .failed: viewError
        case .idle, .requesting, .streaming, .polling, .paused: nil
        }
    }

    /// The parameters of the view.
    public var parameters: [String: String] {
        registrar.access(self, keyPath: \.parameters)
        return view.parameters
    }

    /// A Boolean value that indicates whether the state of the connection allows actions. If the screen is followed, the value is false
    /// while the server cannot be reached. If the screen is not followed, the value is always true, because only a followed screen notices
    /// that the server can be reached again.
    var isReachable: Bool {
        registrar.access(self, keyPath: \.connection)
        return machine.isReachable || machine.mode != .following
    }

    /// The state of the connection of a screen.
    public enum Connection: Hashable, Sendable {
        /// The screen is not followed.
        case idle
        case requesting
        /// The screen receives each change on an event stream.
        case streaming
        /// The screen receives each change in the response to a request that waits for changes, because event streams do not get through.
        case polling
        /// The client waits for its next attempt, which begins at this time at the latest.
        case waiting(until: ContinuousClock.Instant)
        /// The client has stopped because of ``LiveScreen/problem``. To try again, call ``LiveScreen/refresh()``. A change of
        /// the network also starts a new attempt.
        case failed
        case paused
    }
}

// MARK: - Loading and following

extension LiveScreen {
    /// Keeps the screen current until the task is cancelled.
    public func follow() async {
        await restore()
        guard !Task.isCancelled else { return }
        followers += 1
        send(.follow)
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
        followers -= 1
        if followers == 0 { pause() }
    }

    /// Stops following until ``resume()`` is called, for example while the app is in the background. The content is kept.
    public func pause() {
        continuesAfterReset = false
        send(.pause)
        writer.flush()
    }

    /// Continues to follow after ``pause()``.
    public func resume() {
        continuesAfterReset = false
        if followers > 0 { send(.follow) }
    }

    /// Requests the current state at once, even if the client is waiting or has stopped after a failure.
    ///
    /// - Throws: ``ScreenError`` if the first attempt fails, or if the task is cancelled.
    public func refresh() async throws(ScreenError) {
        await restore()
        try await load(.refresh)
    }

    /// Changes parameters of the view, for example the text of a search. The screen receives the differences between the earlier view and
    /// the new view as a changeset.
    ///
    /// The request in progress is cancelled, and its result is not shown.
    ///
    /// - Parameter parameters: The parameters to change. The value `nil` removes a parameter.
    /// - Throws: ``ScreenError`` if the first attempt fails, or if the task is cancelled. If another call follows before this call has
    ///   returned, both calls have the result of the later call.
    public func show(_ parameters: [String: String?]) async throws(ScreenError) {
        for (name, value) in parameters { view.parameters[name] = value }
        registrar.withMutation(of: self, keyPath: \.parameters) {}
        isRestored = true
        try await load(.show)
    }

    private func load(_ event: ClientMachine.Event) async throws(ScreenError) {
        let end = beginRequest()
        defer { end() }
        loadCount += 1
        let id = loadCount
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { end in
                loads[id] = end
                send(event)
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.loads.removeValue(forKey: id)?.resume(returning: .cancelled) }
        }
        if let error { throw error }
    }

    /// Shows the stored snapshot if the screen has no content yet.
    func restore() async {
        guard !isRestored, let user = client.user, let store = client.snapshots else { return }
        isRestored = true
        let view = view
        guard let bytes = await store.snapshot(of: stored(view, of: user)), let stored = try? await Self.read(bytes),
            stored.screen == name, tree == nil, client.isUser(user), self.view == view
        else { return }
        shownView = view
        set(stored)
        send(.restored(version: stored.version))
    }

    private nonisolated static func read(_ bytes: [UInt8]) async throws -> SnapshotTree {
        try SnapshotTree(JSONReader.read(bytes))
    }

    private func stored(_ view: ViewAddress, of user: String) -> StoredView {
        StoredView(user: user, address: client.exchanges.base + view.target())
    }

    /// Discards the content, and stops following until ``continueAfterReset()`` is called.
    func reset() {
        if machine.mode == .following { continuesAfterReset = true }
        writer.discard()
        renewal?.cancel()
        send(.reset)
        // The reset ends only the actions that the machine knows. An action whose attempt is still being stored is not known to the
        // machine, so it is ended here.
        for key in executions.keys { abandon(key) }
        (viewError, actionError, refusedToken) = (nil, nil, nil)
        resetPresenters()
        set(nil)
        isRestored = false
    }

    /// Shows the stored snapshot of the new user, and follows the view again if it was followed before the reset.
    func continueAfterReset() {
        guard continuesAfterReset else { return }
        Task {
            await restore()
            if continuesAfterReset { resume() }
        }
    }
}

// MARK: - Events and effects

extension LiveScreen {
    /// Passes an event to the state machine. If another event is being handled, the new event waits.
    func send(_ event: ClientMachine.Event, _ document: ScreenDocument? = nil) {
        events.append((event, document))
        guard events.count == 1 else { return }
        while let (event, document) = events.first {
            if let misfit = handle(event, document) { events[0] = (misfit, nil) } else { events.removeFirst() }
        }
    }

    /// The time that has passed since the screen was created.
    var now: Duration { clock.now - start }

    /// Passes an event to the state machine, and performs the effects of the event.
    ///
    /// - Returns: The `misfit` event to handle next if a changeset could not be applied, and `nil` otherwise.
    private func handle(_ event: ClientMachine.Event, _ document: ScreenDocument?) -> ClientMachine.Event? {
        var isMisfit = false
        for effect in machine.handle(event, at: now) {
            switch effect {
            case .send(let id, let request): perform(id, request)
            case .cancel(let id):
                tasks.removeValue(forKey: id)?.cancel()
                timers.removeValue(forKey: id)?.cancel()
            case .sleep(let id, let range): sleep(id, range)
            case .take(let disposition): isMisfit = !take(document, disposition)
            case .renewToken: renewToken()
            case .save: save()
            case .share(let position): client.share(position: position, from: self)
            // If a changeset could not be applied, the load does not end now. It ends when a snapshot has arrived.
            case .loaded(let failure) where !isMisfit:
                if failure == nil { noteShown(view) }
                endLoads(failure)
            case .loaded: break
            case .resolve(let key, let result): resolve(key, result)
            case .publish: registrar.withMutation(of: self, keyPath: \.connection) {}
            }
        }
        return isMisfit ? tree.map { .misfit(held: $0.version) } : nil
    }

    /// Shows a document.
    ///
    /// - Returns: False if the document is a changeset that cannot be applied.
    private func take(_ document: ScreenDocument?, _ disposition: ClientMachine.Disposition) -> Bool {
        switch (disposition, document) {
        case (.replace, .snapshot(let new, _)?): set(new)
        case (.apply, .changeset(let changeset)?): guard apply(changeset) else { return false }
        default: preconditionFailure("the machine takes only the document of its event")
        }
        noteShown(view)
        return true
    }

    /// Records the view that the content belongs to. This is always the current view, because the state machine ignores responses to
    /// requests for other views.
    private func noteShown(_ view: ViewAddress) {
        guard shownView != view else { return }
        shownView = view
        save()
    }

    private func set(_ new: SnapshotTree?) {
        var new = new
        // Cells that did not change keep their decoded values.
        if let tree { new?.reuse(tree) }
        tree = new
        registrar.withMutation(of: self, keyPath: \.model) {}
        post(.snapshot)
    }

    private func apply(_ changeset: ChangesetTree) -> Bool {
        mailboxes.removeAll { $0.mailbox == nil }
        var steps: [ListUpdate.Step]?
        do {
            if mailboxes.isEmpty {
                try tree?.apply(changeset)
            } else {
                steps = try tree?.steps(applying: changeset, registry: client.registry)
            }
        } catch {
            return false
        }
        registrar.withMutation(of: self, keyPath: \.model) {}
        if let steps { post(.stages(steps)) }
        return true
    }

    private func sleep(_ id: ClientMachine.RequestID, _ range: ClosedRange<Duration>) {
        let pause = range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
        timers[id]?.cancel()
        timers[id] = Task { [weak self, sleep = client.sleep] in
            guard (try? await sleep(pause)) != nil else { return }
            self?.timers[id] = nil
            self?.send(.woke(id))
        }
    }

    private func endLoads(_ failure: ClientMachine.Failure?) {
        let error = failure.map { $0 == .cancelled ? .cancelled : viewError ?? .unreachable }
        for load in loads.values { load.resume(returning: error) }
        loads = [:]
    }

    private func save() {
        guard let tree, let user = client.user else { return }
        writer.save(tree, of: stored(shownView, of: user))
    }
}
