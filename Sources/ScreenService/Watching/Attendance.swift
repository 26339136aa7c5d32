import Synchronization

/// The watchers of each screen for each audience: while there are any, what the screen does meanwhile runs.
final class Attendance: Sendable {
    private struct Place: Hashable {
        let screen: String
        let audience: Audience
    }

    private struct Watchers {
        var count: Int
        var task: Task<Void, Never>
    }

    private let catalog: ScreenCatalog
    private let state = Mutex(State())

    private struct State {
        var watchers: [Place: Watchers] = [:]
        /// Work that was cancelled and has not ended. What begins for the same place waits for it.
        var ending: [Place: Task<Void, Never>] = [:]
    }

    init(catalog: ScreenCatalog) {
        self.catalog = catalog
    }

    func enter(_ view: ScreenView) {
        let place = Place(screen: view.screen, audience: view.audience)
        state.withLock { state in
            if state.watchers[place] != nil {
                state.watchers[place]!.count += 1
            } else {
                let task = start(place, after: state.ending.removeValue(forKey: place))
                state.watchers[place] = Watchers(count: 1, task: task)
            }
        }
    }

    func leave(_ view: ScreenView) {
        let place = Place(screen: view.screen, audience: view.audience)
        let ending = state.withLock { state -> Task<Void, Never>? in
            guard let watchers = state.watchers[place] else { return nil }
            state.watchers[place]!.count -= 1
            guard watchers.count == 1 else { return nil }
            state.watchers[place] = nil
            state.ending[place] = watchers.task
            return watchers.task
        }
        if let ending { end(ending, at: place) }
    }

    private func start(_ place: Place, after earlier: Task<Void, Never>?) -> Task<Void, Never> {
        let screen = catalog.screen(named: place.screen)
        return Task {
            await earlier?.value
            if !Task.isCancelled { await screen?.whileWatched(by: place.audience) }
        }
    }

    private func end(_ task: Task<Void, Never>, at place: Place) {
        task.cancel()
        Task {
            await task.value
            state.withLock { if $0.ending[place] == task { $0.ending[place] = nil } }
        }
    }
}
