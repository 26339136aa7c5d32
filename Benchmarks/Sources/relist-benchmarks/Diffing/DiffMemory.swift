/// What a diff takes of the heap at most, its result included, for each cell of the two lists.
func measureMemory(cells: Int, _ diff: () -> Void) {
    diff()
    let bytes = Double(peakBytes(of: diff)) / Double(cells)
    Table.row(
        "  peak memory, \(cells) cells in both lists", "\(bytes.rounded(to: 1)) bytes a cell", measured: bytes,
        atMost: (64, "64 bytes")
    )
}
