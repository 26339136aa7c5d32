/// Shows the changes of a screen in a list view, and holds changes that would disturb the user. The classes `ScreenTable` and
/// `ScreenCollection` only pass calls on to this object.
@MainActor
final class ListPresenter: BindableDataSource {
    /// The sections that the view shows.
    private(set) var sections = ListModel.Sections()
    private(set) var held = HeldChanges()
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    /// Performs a change on the view. The second parameter is a function that sets ``sections``.
    var perform: (ListUpdate, (ListModel.Sections) -> Void) -> Void = { $1($0.model.sections) }
    /// Returns a Boolean value that indicates whether a finger scrolls the view, or the view decelerates.
    var isScrolling: () -> Bool = { false }
    /// Waits until ``isScrolling`` is called again. It throws an error if the task is cancelled.
    var waitForNextCheck: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(100)) }
    /// The task that waits for the end of a scroll.
    private var scrollCheck: Task<Void, Never>?
    /// A function that is called when the number of held changes has changed.
    var countChanged: (Int) -> Void = { _ in }

    init(_ screen: LiveScreen) {
        start = clock.now
        screen.presenters.removeAll { $0.presenter == nil }
        screen.presenters.append(WeakPresenter(presenter: self))
    }

    func show(_ update: ListUpdate, animated: Bool) {
        if isScrolling() { holdUntilScrollingEnds() } else { endScrolling() }
        change { $0.take(update, at: $1) }
    }

    /// Holds changes until the view no longer scrolls. The view is asked again and again, because an app can replace the delegate to which
    /// UIKit reports the end of a scroll.
    private func holdUntilScrollingEnds() {
        held.beginScrolling()
        guard scrollCheck == nil else { return }
        scrollCheck = Task { [weak self, waitForNextCheck] in
            while (try? await waitForNextCheck()) != nil, !Task.isCancelled {
                guard let self else { return }
                if !self.isScrolling() { return self.endScrolling() }
            }
        }
    }

    private func endScrolling() {
        scrollCheck?.cancel()
        scrollCheck = nil
        change { $0.endScrolling(at: $1) }
    }

    /// Holds changes for a reason, until the reason ends.
    func begin(_ reason: HoldingReason) { held.begin(reason) }

    /// Ends a reason to hold changes.
    func end(_ reason: HoldingReason) { change { $0.end(reason, at: $1) } }

    /// Performs the changes that are held.
    func showHeld() { change { held, _ in held.release() } }

    fileprivate func reset() {
        change { held, _ in
            held.reset()
            return nil
        }
    }

    fileprivate func noteRequest() { change { $0.noteRequest(at: $1) } }

    /// Changes the state of the held changes, and performs the changes that are no longer held.
    private func change(_ body: (inout HeldChanges, Duration) -> ListUpdate?) {
        let count = held.count
        let update = body(&held, clock.now - start)
        if let update { perform(update) { sections = $0 } }
        if held.count != count { countChanged(held.count) }
    }
}

/// A weak reference to the presenter of a list view.
struct WeakPresenter {
    fileprivate weak var presenter: ListPresenter?
}

extension LiveScreen {
    /// Discards the changes that list views hold. They then show the content of the next user at once.
    func resetPresenters() {
        for one in presenters { one.presenter?.reset() }
    }

    /// Begins a request of the user. List views show what they hold now and when the request ends.
    ///
    /// - Returns: A function that ends the request.
    func beginRequest() -> @MainActor () -> Void {
        let asked = presenters
        for one in asked { one.presenter?.noteRequest() }
        return { for one in asked { one.presenter?.noteRequest() } }
    }
}
