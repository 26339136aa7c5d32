import Foundation
import ScreenDiff
import ScreenModel

private typealias Model = TableViewModel<String, Row>

private struct Row: Differentiable {
    let id: UUID
    var text: String

    var differenceIdentifier: UUID { id }

    func isContentEqual(to source: Row) -> Bool { text == source.text }
}

/// Measures diffs of 100 sections with 100 cells each. Their times are compared with the time that ``Yardstick`` takes for 5,000
/// identifiers.
func measureTypedSections(_ random: inout SplitMix64) async throws {
    var source = Model()
    for section in 0..<100 {
        let rows = (0..<100).map { Row(id: random.uuid(), text: "row \($0)") }
        source.append(Model.Section(id: "section \(section)", cells: rows))
    }
    var edited = source
    edited[20].remove(at: 20)
    edited[50].insert(Row(id: random.uuid(), text: "new"), at: 50)
    edited[70][70].text = "changed"
    try await measure("three edits", source, edited)

    let rows = source.flatMap(\.cells).shuffled(using: &random)
    var shuffled = source
    for section in shuffled.indices { shuffled[section].cells = Array(rows[section * 100..<section * 100 + 100]) }
    try await measure("shuffled across sections", source, shuffled, atMost: 2)
    try await measure("sections shuffled", source, Model(sections: source.sections.shuffled(using: &random)))
}

private func measure(_ what: String, _ source: Model, _ target: Model, atMost limit: Double? = nil) async throws {
    let ids = source.flatMap(\.cells).prefix(5000).map(\.id)
    try await Yardstick.row("typed diff: 100 x 100 cells, \(what)", over: ids, ids.reversed(), atMost: limit) {
        source.changeset(to: target).stages
    }
    measureMemory(cells: [source, target].joined().reduce(0) { $0 + $1.count }) { consume(source.changeset(to: target)) }
}
