import Foundation
import ScreenDiff

/// Measures diffs of typed lists. A Swift client compares typed lists.
func measureTypedDiffs() async throws {
    var random = SplitMix64(seed: 2)
    try await measureEdits(of: "UUIDs", count: 5000, atMost: 0.5, &random) { $0.uuid() }
    try await measureEdits(of: "UUIDs", count: 100_000, atMost: 0.2, &random) { $0.uuid() }
    try await measureOrders(of: "UUIDs", &random) { $0.uuid() }
    for count in [5000, 100_000] {
        try await measureEdits(of: "Strings", count: count, &random) { $0.uuid().uuidString }
        try await measureEdits(of: "AnyHashables", count: count, &random) { AnyHashable($0.uuid()) }
    }
    try await measureTypedSections(&random)
}

/// Measures a diff of many edits. In a list of 5,000 cells, 1,000 cells are deleted and 1,000 are inserted. In a list of 100,000 cells,
/// 10,000 are deleted and 10,000 are inserted. Some of the other cells are swapped.
private func measureEdits<ID: Hashable & SendableMetatype>(
    of name: String, count: Int, atMost limit: Double? = nil, _ random: inout SplitMix64, new: (inout SplitMix64) -> ID
) async throws {
    let edits = count == 5000 ? 1000 : 10_000
    let source = (0..<count).map { _ in new(&random) }
    let target = Edits.edited(source, deletes: edits, inserts: edits, swaps: edits / 5, &random, new: new)
    let what = "diff of \(count) \(name): \(edits) deletes and inserts, \(edits / 5) swaps"
    try await measure(what, source, target, atMost: limit)
    // The larger list is not measured with `difference(from:)`, which would take minutes.
    if count == 5000 {
        let time = try await Rounds.medians { consume(target.difference(from: source)) }[0]
        Table.row("  difference(from:)", time, "\(target.difference(from: source).inferringMoves().count) operations")
    }
    let (old, new) = (source.map(Item.init), target.map(Item.init))
    measureMemory(cells: source.count + target.count) { consume(StagedChangeset(source: old, target: new)) }
}

private func measureOrders<ID: Hashable & SendableMetatype>(
    of name: String, _ random: inout SplitMix64, new: (inout SplitMix64) -> ID
) async throws {
    let source = (0..<100_000).map { _ in new(&random) }
    var target = source
    target.insert(new(&random), at: 50_000)
    try await measure("diff of 100000 \(name): one insert", source, target)
    try await measure("diff of 100000 \(name): reversed", source, source.reversed())
    try await measure("diff of 100000 \(name): shuffled", source, source.shuffled(using: &random), atMost: 0.6)
    try await measure("diff of 100000 \(name): all new", source, source.map { _ in new(&random) }, atMost: 0.4)
}

private func measure<ID: Hashable & SendableMetatype>(_ what: String, _ source: [ID], _ target: [ID], atMost limit: Double? = nil)
    async throws
{
    let (old, new) = (source.map(Item.init), target.map(Item.init))
    try await Yardstick.row(what, over: source, target, atMost: limit) { StagedChangeset(source: old, target: new).stages }
}

/// A cell that has only an identity and no content.
private struct Item<ID: Hashable>: Differentiable {
    let differenceIdentifier: ID

    func isContentEqual(to source: Item) -> Bool { differenceIdentifier == source.differenceIdentifier }
}
