import ScreenService

extension Posts {
    enum ActionName {
        static let refresh = "refresh"
        static let retry = "retry"
    }

    /// The answer has what came of them where the upstream is quick. The posts of the store are always
    /// as they are; there is nothing to do then.
    var actions: [Action] {
        [
            Action(ActionName.refresh, "Loads the posts anew; those that are shown stay until then.") { [loader] _ in
                await loader?.perform(.refresh)
            },
            Action(ActionName.retry, "Tries again to load what could not be loaded.") { [loader] _ in
                await loader?.perform(.retry)
            },
        ]
    }
}
