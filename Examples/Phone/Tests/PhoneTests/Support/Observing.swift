import Observation

/// Waits until a condition on observed values is true. This function also returns if the test is cancelled.
@MainActor
func whenTrue(_ condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)
        if withObservationTracking(condition, onChange: { changed.yield() }) { return }
        for await _ in changes { break }
        // `onChange` is called before the new value is set, so the condition is checked again only after a yield.
        await Task.yield()
    }
}
