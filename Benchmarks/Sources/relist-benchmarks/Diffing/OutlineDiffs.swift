import ScreenDiff

/// Measures diffs of outlines. The server compares outlines when it responds to a request for changes.
func measureOutlineDiffs() async throws {
    var random = SplitMix64(seed: 1)
    try await measureOneInsert(&random)
    for count in [1000, 10_000, 100_000, 1_000_000] { try await measureTenEdits(count, &random) }
    try await measureSections(&random)
}

private func measureOneInsert(_ random: inout SplitMix64) async throws {
    let source = flat((0..<100_000).map { _ in cell(&random) })
    var cells = source.cells
    cells.insert(cell(&random), at: 50_000)
    try await measure("diff of outlines: 100000 cells, one insert", source, flat(cells), atMost: .microseconds(500))
}

/// Measures a diff of ten edits: three deletes, three inserts, two swaps and two updates.
private func measureTenEdits(_ count: Int, _ random: inout SplitMix64) async throws {
    let source = flat((0..<count).map { _ in cell(&random) })
    var cells = Edits.edited(source.cells, deletes: 3, inserts: 3, swaps: 2, &random, new: cell)
    for _ in 0..<2 { cells[Int.random(in: cells.indices, using: &random)].content = random.next() }
    try await measure("diff of outlines: \(count) cells, ten edits", source, flat(cells))
}

private func measureSections(_ random: inout SplitMix64) async throws {
    let source = outline(sections: 100, cellsOfSection: 100, &random)
    var (sections, cells) = (source.sections, source.cells)
    cells.remove(at: 2020)
    cells.insert(cell(&random), at: 5050)
    cells[7070].content = random.next()
    sections[20].cellCount -= 1
    sections[50].cellCount += 1
    let edited = Outline(sections: sections, cells: cells)
    try await measure("diff of outlines: 100 x 100 cells, three edits", source, edited, atMost: .microseconds(300))

    let shuffled = Outline(sections: source.sections, cells: source.cells.shuffled(using: &random))
    try await measure("diff of outlines: 100 x 100 cells, shuffled across sections", source, shuffled)
}

private func measure(_ what: String, _ source: Outline, _ target: Outline, atMost limit: Duration? = nil) async throws {
    let time = try await Rounds.medians({ consume(target.stages(from: source)) })[0]
    let operations = operationCount(of: target.stages(from: source))
    Table.row(what, time, "\(operations) operations, \(nanoseconds(time, cells: source.cells.count)) ns a cell", atMost: limit)
    measureMemory(cells: source.cells.count + target.cells.count) { consume(target.stages(from: source)) }
}

private func nanoseconds(_ time: Duration, cells: Int) -> Double {
    (time / .nanoseconds(1) / Double(cells)).rounded(to: 1)
}

private func outline(sections: Int, cellsOfSection: Int, _ random: inout SplitMix64) -> Outline {
    Outline(
        sections: (0..<sections).map { _ in
            Outline.Section(id: random.next(), views: random.next(), cellCount: cellsOfSection)
        },
        cells: (0..<sections * cellsOfSection).map { _ in cell(&random) }
    )
}

private func flat(_ cells: [Outline.Cell]) -> Outline {
    Outline(sections: [Outline.Section(id: 0, views: 0, cellCount: cells.count)], cells: cells)
}

private func cell(_ random: inout SplitMix64) -> Outline.Cell {
    Outline.Cell(id: random.next(), content: random.next())
}
