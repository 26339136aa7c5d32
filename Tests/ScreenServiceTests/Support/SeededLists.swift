import ScreenModel
import SeededRandom

/// A generator of lists. Each list results from random edits of the previous list.
///
/// There are only a few different ids, so that removed cells and sections appear again.
struct SeededLists {
    private(set) var generator: SeededGenerator
    private(set) var list = List()

    private let rowsAtOnce: Int

    /// Creates a generator.
    ///
    /// - Parameter rowsAtOnce: The maximum number of cells that are inserted together.
    init(seed: UInt64, sections: Int = 3, rowsAtOnce: Int = 3) {
        generator = SeededGenerator(seed: seed)
        self.rowsAtOnce = rowsAtOnce
        for _ in 0..<sections { apply(.insertSection) }
    }

    /// Applies some edits to the list, and returns the new list.
    mutating func next() -> List {
        for _ in 0...Int.random(in: 0..<7, using: &generator) { apply(Edit.allCases.randomElement(using: &generator)!) }
        return list
    }
}

enum Edit: String, CaseIterable {
    case updateCells = "update-cells"
    case insertCells = "insert-cells"
    case deleteCells = "delete-cells"
    case moveCells = "move-cells"
    case moveAcross = "move-cells-across"
    case insertSection = "insert-section"
    case deleteSection = "delete-section"
    case moveSection = "move-section"
    /// Deletes a section, and moves its cells to another section.
    case mergeSections = "merge-sections"
    /// Inserts a section, and moves cells of another section into it.
    case splitSection = "split-section"
    case header, footer, badges, backdrop, title
}

extension SeededLists {
    /// Applies an edit. If the edit needs sections or cells and the list has none, inserts a section or a cell instead.
    mutating func apply(_ edit: Edit) {
        guard !list.sections.isEmpty else { return insertSection(with: newRows()) }
        let section = Int.random(in: 0..<list.sections.count, using: &generator)
        switch edit {
        case .updateCells, .badges, .deleteCells, .moveCells: changeCells(of: section, edit)
        case .insertCells: insert(newRows(), into: section)
        case .moveAcross: insert(takeRows(from: section), into: Int.random(in: 0..<list.sections.count, using: &generator))
        case .insertSection: insertSection(with: newRows())
        case .deleteSection: list.sections.remove(at: section)
        case .moveSection:
            let moved = list.sections.remove(at: section)
            list.sections.insert(moved, at: Int.random(in: 0...list.sections.count, using: &generator))
        case .mergeSections: mergeSections(section)
        case .splitSection: insertSection(with: takeRows(from: section))
        case .header: list.sections[section].header = label()
        case .footer: list.sections[section].footer = label()
        case .backdrop: list.sections[section].backdrop = label()
        case .title: list.title = "Title \(Int.random(in: 0..<10, using: &generator)) é \"\\"
        }
    }

    private mutating func changeCells(of section: Int, _ edit: Edit) {
        guard !list.sections[section].rows.isEmpty else { return insert(newRows(), into: section) }
        for _ in 0...Int.random(in: 0..<2, using: &generator) where !list.sections[section].rows.isEmpty {
            let item = Int.random(in: 0..<list.sections[section].rows.count, using: &generator)
            switch edit {
            case .updateCells: list.sections[section].rows[item] = row(list.sections[section].rows[item].id)
            case .badges: list.sections[section].rows[item].badge = label()
            case .deleteCells: list.sections[section].rows.remove(at: item)
            default:
                let row = list.sections[section].rows.remove(at: item)
                insert([row], into: section)
            }
        }
    }

    private mutating func mergeSections(_ section: Int) {
        let rows = list.sections.remove(at: section).rows
        guard !list.sections.isEmpty else { return insertSection(with: rows) }
        insert(rows, into: Int.random(in: 0..<list.sections.count, using: &generator))
    }

    private mutating func insert(_ rows: [Row], into section: Int) {
        list.sections[section].rows.insert(contentsOf: rows, at: Int.random(in: 0...list.sections[section].rows.count, using: &generator))
    }

    private mutating func takeRows(from section: Int) -> [Row] {
        let rows = list.sections[section].rows
        let first = Int.random(in: 0...rows.count, using: &generator)
        let taken = first..<min(rows.count, first + Int.random(in: 1...3, using: &generator))
        list.sections[section].rows.removeSubrange(taken)
        return Array(rows[taken])
    }

    private mutating func insertSection(with rows: [Row]) {
        let taken = Set(list.sections.map(\.id))
        guard let id = "abcdefg".map(String.init).filter({ !taken.contains($0) }).randomElement(using: &generator) else { return }
        let group = List.Group(id: id, header: label(), footer: label(), rows: rows, backdrop: label())
        list.sections.insert(group, at: Int.random(in: 0...list.sections.count, using: &generator))
    }

    private mutating func newRows() -> [Row] {
        let taken = Set(list.sections.flatMap(\.rows).map(\.id))
        let free = (0..<60).map { "c\($0)" }.filter { !taken.contains($0) }.shuffled(using: &generator)
        return free.prefix(Int.random(in: 1...rowsAtOnce, using: &generator)).map { row($0) }
    }

    private mutating func row(_ id: String) -> Row {
        let number = [nil, 1, 2.5, -1e-9].randomElement(using: &generator)!
        let text = ["", "text", "\"é\\\n", "🏔", "}],"].randomElement(using: &generator)!
        let tags = ["x", "[", "z"].prefix(Int.random(in: 0..<4, using: &generator))
        return Row(id: id, text: text, number: number, tags: Array(tags), badge: label())
    }

    private mutating func label() -> Label? {
        [nil, nil, Label("one"), Label("two"), Label("\"three\"")].randomElement(using: &generator)!
    }
}
