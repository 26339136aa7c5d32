import Observation

/// Waits until a condition on observed values is true. Also returns if the test is cancelled because it takes too long.
@MainActor
func whenTrue(_ condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)
        if withObservationTracking(condition, onChange: { changed.yield() }) { return }
        for await _ in changes { break }
        // The change is reported before the new value is set. Therefore the condition is not checked again at once.
        await Task.yield()
    }
}
