/// Measures the peak heap memory of a diff and its result, and prints the memory per cell.
///
/// - Parameter cells: the total number of cells in the two lists.
func measureMemory(cells: Int, _ diff: () -> Void) {
    diff()
    let bytes = Double(peakBytes(of: diff)) / Double(cells)
    Table.row(
        "  peak memory, \(cells) cells in both lists", "\(bytes.rounded(to: 1)) bytes a cell", measured: bytes,
        atMost: (64, "64 bytes")
    )
}
