import ScreenDiff
import SeededRandom

/// A snapshot that searches all items for each change. The tests compare a `DiffableSnapshot` with it.
struct NaiveSnapshot: Equatable, CustomStringConvertible {
    struct Section: Equatable {
        var id: Int
        var items: [Int]
    }

    var sections: [Section] = []
    var reloadedItems: Set<Int> = []
    var reconfiguredItems: Set<Int> = []
    var reloadedSections: Set<Int> = []

    var items: [Int] { sections.flatMap(\.items) }
    var description: String { sections.map { "\($0.id): \($0.items)" }.joined(separator: ", ") }

    /// Performs a random change on this snapshot and on `other`.
    mutating func change(_ other: inout DiffableSnapshot<Int, Int>, using random: inout SeededGenerator) {
        switch Int.random(in: 0..<15, using: &random) {
        case 0...4: insertItems(&other, &random)
        case 5, 6: moveItem(&other, &random)
        case 7: deleteItems(&other, &random)
        case 8...10: insertSections(&other, &random)
        case 11: moveSection(&other, &random)
        case 12: deleteSections(&other, &random)
        default: mark(&other, &random)
        }
    }

    private mutating func insertItems(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        let new = unused(by: items, below: 60, &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            guard !sections.isEmpty else { return }
            other.appendItems(new)
            sections[sections.count - 1].items += new
        case 1:
            guard let section = sections.indices.randomElement(using: &random) else { return }
            other.appendItems(new, toSection: sections[section].id)
            sections[section].items += new
        case let kind:
            guard let item = items.randomElement(using: &random), let place = place(of: item) else { return }
            if kind == 2 { other.insertItems(new, beforeItem: item) } else { other.insertItems(new, afterItem: item) }
            sections[place.section].items.insert(contentsOf: new, at: place.item + kind - 2)
        }
    }

    private mutating func moveItem(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        let two = items.shuffled(using: &random).prefix(2)
        guard two.count == 2, let isAfter = [0, 1].randomElement(using: &random) else { return }
        if isAfter == 0 { other.moveItem(two[0], beforeItem: two[1]) } else { other.moveItem(two[0], afterItem: two[1]) }
        for index in sections.indices { sections[index].items.removeAll { $0 == two[0] } }
        guard let place = place(of: two[1]) else { return }
        sections[place.section].items.insert(two[0], at: place.item + isAfter)
    }

    private mutating func deleteItems(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        // Some of these items do not exist.
        let deleted = (0..<8).map { _ in Int.random(in: 0..<60, using: &random) }
        other.deleteItems(deleted)
        for index in sections.indices { sections[index].items.removeAll(where: deleted.contains) }
        removeMarksOfAbsentItems()
    }

    private mutating func insertSections(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        let new = unused(by: sections.map(\.id), below: 9, &random)
        let sections = new.map { Section(id: $0, items: []) }
        guard let index = self.sections.indices.randomElement(using: &random), let kind = (0..<3).randomElement(using: &random), kind < 2
        else {
            other.appendSections(new)
            return self.sections += sections
        }
        let id = self.sections[index].id
        if kind == 0 { other.insertSections(new, beforeSection: id) } else { other.insertSections(new, afterSection: id) }
        self.sections.insert(contentsOf: sections, at: index + kind)
    }

    private mutating func moveSection(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        let two = sections.shuffled(using: &random).prefix(2).map(\.id)
        guard two.count == 2, let isAfter = [0, 1].randomElement(using: &random) else { return }
        if isAfter == 0 { other.moveSection(two[0], beforeSection: two[1]) } else { other.moveSection(two[0], afterSection: two[1]) }
        guard let source = sections.firstIndex(where: { $0.id == two[0] }) else { return }
        let section = sections.remove(at: source)
        guard let target = sections.firstIndex(where: { $0.id == two[1] }) else { return }
        sections.insert(section, at: target + isAfter)
    }

    private mutating func deleteSections(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        // Some of these sections do not exist.
        let deleted = [Int.random(in: 0..<9, using: &random), Int.random(in: 0..<9, using: &random)]
        other.deleteSections(deleted)
        sections.removeAll { deleted.contains($0.id) }
        reloadedSections.subtract(deleted)
        removeMarksOfAbsentItems()
    }

    private mutating func mark(_ other: inout DiffableSnapshot<Int, Int>, _ random: inout SeededGenerator) {
        let marked = Array(items.shuffled(using: &random).prefix(3))
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            other.reloadItems(marked)
            reloadedItems.formUnion(marked)
        case 1:
            other.reconfigureItems(marked)
            reconfiguredItems.formUnion(marked)
        default:
            let marked = sections.map(\.id).shuffled(using: &random).prefix(1)
            other.reloadSections(Array(marked))
            reloadedSections.formUnion(marked)
        }
    }

    private mutating func removeMarksOfAbsentItems() {
        reloadedItems.formIntersection(items)
        reconfiguredItems.formIntersection(items)
    }

    private func place(of item: Int) -> (section: Int, item: Int)? {
        for (section, content) in sections.enumerated() {
            if let index = content.items.firstIndex(of: item) { return (section, index) }
        }
        return nil
    }

    /// Returns up to four numbers that are not in `used`.
    private func unused(by used: [Int], below limit: Int, _ random: inout SeededGenerator) -> [Int] {
        let unused = (0..<limit).filter { !used.contains($0) }.shuffled(using: &random)
        return Array(unused.prefix(Int.random(in: 0...4, using: &random)))
    }
}
