import Foundation
import ScreenDiff
import ScreenModel

extension UUID: @retroactive Differentiable {}

/// The differ on typed collections: what a Swift client runs between two lists of its own.
func measureTypedDiffs() async throws {
    var random = SplitMix64(seed: 2)
    try await measureFlat(count: 5000, target: 0.6, &random)
    try await measureFlat(count: 100_000, target: 0.35, &random)
    try await measureOneInsert(&random)
    try await measureSections(&random)
}

/// A fifth is deleted and a fifth inserted among 5,000, a tenth each among 100,000; and swaps.
private func measureFlat(count: Int, target limit: Double, _ random: inout SplitMix64) async throws {
    let edits = count == 5000 ? 1000 : 10_000
    let source = (0..<count).map { _ in random.uuid() }
    let target = Edits.edited(source, deletes: edits, inserts: edits, swaps: edits / 5, &random) { $0.uuid() }
    let times = try await Rounds.medians(
        budget: .seconds(3),
        { consume(StagedChangeset(source: source, target: target)) }, { consume(lookedUp(source, in: target)) }
    )
    let ratio = times[0] / times[1]
    let what = "diff of \(count) UUIDs: \(edits) deletes and inserts, \(edits / 5) swaps"
    Table.row(
        what, "\(times[0].text), \(ratio.rounded(to: 2)) x yardstick, \(operations(source, target)) operations",
        measured: ratio, atMost: (limit, "\(limit) x")
    )
    Table.row("  the yardstick: a dictionary of one, the other looked up", times[1])
    // It takes minutes for the greater one.
    if count == 5000 {
        let time = try await Rounds.medians { consume(target.difference(from: source)) }[0]
        Table.row("  difference(from:)", time, "\(target.difference(from: source).inferringMoves().count) operations")
    }
    measureMemory(cells: source.count + target.count) { consume(StagedChangeset(source: source, target: target)) }
}

private func measureOneInsert(_ random: inout SplitMix64) async throws {
    let source = (0..<100_000).map { _ in random.uuid() }
    var target = source
    target.insert(random.uuid(), at: 50_000)
    let time = try await Rounds.medians { consume(StagedChangeset(source: source, target: target)) }[0]
    Table.row("diff of 100000 UUIDs: one insert", time, "\(operations(source, target)) operations")
}

private func operations(_ source: [UUID], _ target: [UUID]) -> Int {
    operationCount(of: StagedChangeset(source: source, target: target).stages)
}

/// The yardstick: one collection in a dictionary, the other looked up in it.
private func lookedUp(_ source: [UUID], in target: [UUID]) -> Int {
    var places: [UUID: Int] = [:]
    places.reserveCapacity(target.count)
    for (place, element) in target.enumerated() { places[element] = place }
    return source.reduce(0) { places[$1] == nil ? $0 : $0 + 1 }
}

private struct Row: Differentiable, Sendable {
    let id: UUID
    var text: String

    var differenceIdentifier: UUID { id }

    func isContentEqual(to source: Row) -> Bool { text == source.text }
}

private func measureSections(_ random: inout SplitMix64) async throws {
    typealias Model = TableViewModel<String, Row>
    var source = Model()
    for section in 0..<100 {
        let rows = (0..<100).map { Row(id: random.uuid(), text: "row \($0)") }
        source.append(Model.Section(id: "section \(section)", cells: rows))
    }
    var edited = source
    edited[20].remove(at: 20)
    edited[50].insert(Row(id: random.uuid(), text: "new"), at: 50)
    edited[70][70].text = "changed"
    try await measure("typed diff: 100 x 100 cells, three edits", source, edited, atMost: .microseconds(300))

    let rows = source.flatMap(\.cells).shuffled(using: &random)
    var shuffled = source
    for section in shuffled.indices { shuffled[section].cells = Array(rows[section * 100..<section * 100 + 100]) }
    try await measure("typed diff: 100 x 100 cells, shuffled across sections", source, shuffled)
}

private func measure(
    _ what: String, _ source: TableViewModel<String, Row>, _ target: TableViewModel<String, Row>,
    atMost limit: Duration? = nil
) async throws {
    let time = try await Rounds.medians({ consume(source.changeset(to: target)) })[0]
    Table.row(what, time, "\(operationCount(of: source.changeset(to: target).stages)) operations", atMost: limit)
    measureMemory(cells: [source, target].joined().reduce(0) { $0 + $1.count }) { consume(source.changeset(to: target)) }
}
