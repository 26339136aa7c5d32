import Synchronization

/// The tasks that run `Screen.whileWatched(by:)`, one task for each screen and audience with followers.
final class WatchTasks: Sendable {
    private struct Key: Hashable {
        let screen: String
        let audience: Audience

        init(_ view: ScreenView) {
            (screen, audience) = (view.screen, view.audience)
        }
    }

    private struct Watched {
        var watcherCount: Int
        let task: Task<Void, Never>
    }

    private struct State {
        var watched: [Key: Watched] = [:]
        /// The cancelled tasks that have not ended yet. A new task waits for the end of the cancelled task with the same key.
        var ending: [Key: Task<Void, Never>] = [:]
    }

    private let catalog: ScreenCatalog
    private let state = Mutex(State())

    init(catalog: ScreenCatalog) {
        self.catalog = catalog
    }

    func addWatcher(of view: ScreenView) {
        let key = Key(view)
        state.withLock { state in
            if state.watched[key] != nil {
                state.watched[key]!.watcherCount += 1
            } else {
                let task = start(key, after: state.ending.removeValue(forKey: key))
                state.watched[key] = Watched(watcherCount: 1, task: task)
            }
        }
    }

    func removeWatcher(of view: ScreenView) {
        let key = Key(view)
        let ending = state.withLock { state -> Task<Void, Never>? in
            guard let watched = state.watched[key] else { return nil }
            state.watched[key]!.watcherCount -= 1
            guard watched.watcherCount == 1 else { return nil }
            state.watched[key] = nil
            state.ending[key] = watched.task
            return watched.task
        }
        guard let ending else { return }
        ending.cancel()
        Task {
            await ending.value
            state.withLock { if $0.ending[key] == ending { $0.ending[key] = nil } }
        }
    }

    private func start(_ key: Key, after earlier: Task<Void, Never>?) -> Task<Void, Never> {
        let screen = catalog.screen(named: key.screen)
        return Task {
            await earlier?.value
            if !Task.isCancelled { await screen?.whileWatched(by: key.audience) }
        }
    }
}
