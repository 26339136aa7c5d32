import CMalloc

/// Returns the maximum growth of the heap while a closure runs, in bytes.
func peakBytes(of body: () -> Void) -> Int {
    count_allocations(true)
    defer { count_allocations(false) }
    body()
    return counted_peak()
}

/// Returns the maximum growth of the heap while an asynchronous closure runs, in bytes.
func peakBytes(of body: () async throws -> Void) async rethrows -> Int {
    count_allocations(true)
    defer { count_allocations(false) }
    try await body()
    return counted_peak()
}
