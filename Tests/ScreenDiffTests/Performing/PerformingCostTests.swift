import ScreenDiff
import ScreenModel
import Testing

/// Tests that performing a change of one cell reads a few cells, however long the list is, and that it copies no list.
@MainActor @Suite struct PerformingCost {
    private static let count = 100_000

    /// A cell that counts how often a cell was read. The tests run on the main actor without a suspension, so no test counts the reads of a
    /// different test.
    private struct CountedRow: Differentiable, ReuseIdentifying, Sendable {
        nonisolated(unsafe) static var reads = 0
        nonisolated(unsafe) static var typeReads = 0

        let id: Int
        var content = 0

        var differenceIdentifier: Int { read(id) }
        var reuseIdentifier: String {
            Self.typeReads += 1
            return read("row")
        }

        func isContentEqual(to source: CountedRow) -> Bool { read(content == source.content) }

        private func read<Value>(_ value: Value) -> Value {
            Self.reads += 1
            return value
        }
    }

    /// A list that counts how often an element was read.
    private struct CountedList: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
        nonisolated(unsafe) static var reads = 0

        private var rows: [CountedRow] = []

        var startIndex: Int { 0 }
        var endIndex: Int { rows.count }
        subscript(position: Int) -> CountedRow {
            get {
                Self.reads += 1
                return rows[position]
            }
            set { rows[position] = newValue }
        }

        mutating func replaceSubrange(_ subrange: Range<Int>, with newElements: some Collection<CountedRow>) {
            rows.replaceSubrange(subrange, with: newElements)
        }
    }

    private final class View: BatchUpdating {
        var operations: [ListOperation] = []
        var completions: [@MainActor (Bool) -> Void] = []
        let isShown = true

        func reloadData() { Issue.record("the view is not reloaded") }
        func perform(_ operation: ListOperation) { operations.append(operation) }
        func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
            updates()
            completions.append(completion)
        }
    }

    private func edited<List: MutableCollection>(_ list: List, at index: List.Index) -> List where List.Element == CountedRow {
        var list = list
        list[index].content = 1
        return list
    }

    private var operation: ListOperation { .reconfigureCells([CellPlace(section: 0, item: 70_000)]) }

    @Test func performingAnUpdateInALongListReadsOnlyTheUpdatedCell() {
        let source = CountedList((0..<Self.count).map { CountedRow(id: $0) })
        let changeset = StagedChangeset(source: source, target: edited(source, at: 70_000))
        let view = View()
        var data = source
        (CountedRow.reads, CountedList.reads) = (0, 0)
        view.reload(using: changeset) { data = $0 }
        #expect(view.operations == [operation])
        // The reuse identifiers of the cell before and after the update were read.
        #expect(CountedRow.reads == 2 && CountedList.reads == 0)
        #expect(data[70_000].content == 1)
    }

    @Test func performingAnUpdateInALongModelReadsOnlyTheUpdatedCell() {
        typealias Model = TableViewModel<Never, CountedRow>
        let source = Model(cells: (0..<Self.count).map { CountedRow(id: $0) })
        var target = source
        target.sections[0].cells[70_000].content = 1
        let changeset = source.changeset(to: target)
        let view = View()
        CountedRow.reads = 0
        view.reload(using: changeset) { _ in }
        #expect(view.operations == [operation] && CountedRow.reads == 2)
    }

    @Test func findingAChangesetReadsNoReuseIdentifier() {
        let source = (0..<100).map { CountedRow(id: $0) }
        CountedRow.typeReads = 0
        let changeset = StagedChangeset(source: source, target: edited(source, at: 70))
        #expect(changeset.count == 1 && CountedRow.typeReads == 0)
        #expect(changeset[0].operations() == [.reconfigureCells([CellPlace(section: 0, item: 70)])] && CountedRow.typeReads == 2)
    }

    @Test func performingAChangesetNeitherCopiesNorRetainsAList() {
        func address(of list: [CountedRow]) -> UnsafeRawPointer? { list.withUnsafeBytes(\.baseAddress) }
        var data = (0..<Self.count).map { CountedRow(id: $0) }
        let view = View()
        func perform() -> UnsafeRawPointer? {
            let target = edited(data, at: 70_000)
            view.reload(using: StagedChangeset(source: data, target: target)) { data = $0 }
            return address(of: target)
        }
        let target = perform()
        #expect(address(of: data) == target)
        // The view has not called the completion, so the animation is still in progress.
        #expect(view.completions.count == 1)
        // If the view or the changeset still referred to the list, this change would copy the list.
        data[0].content = 1
        #expect(address(of: data) == target)
    }
}
