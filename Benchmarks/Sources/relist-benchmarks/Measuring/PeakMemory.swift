import CMalloc

/// Says how much more of the heap was in use at most while something was done.
func peakBytes(of body: () -> Void) -> Int {
    count_allocations(true)
    defer { count_allocations(false) }
    body()
    return counted_peak()
}
