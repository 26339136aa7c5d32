import CMalloc

/// Says how much more of the heap was in use at most while something was done.
func peakBytes(of body: () -> Void) -> Int {
    count_allocations(true)
    defer { count_allocations(false) }
    body()
    return counted_peak()
}

/// The same, for what waits meanwhile.
func peakBytes(of body: () async throws -> Void) async rethrows -> Int {
    count_allocations(true)
    defer { count_allocations(false) }
    try await body()
    return counted_peak()
}
