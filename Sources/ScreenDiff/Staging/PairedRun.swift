/// Is cells that are neighbours in one section on either side, in the same order.
///
/// Such cells stay together and move together, so that nothing after matching looks at each of them.
struct PairedRun {
    /// The first cell's number on either side.
    var source: Int32
    var target: Int32
    var count: Int32
    /// The section of the target that they are in.
    var targetSection: Int32

    var cells: Range<Int> { Int(source)..<Int(source + count) }
}
