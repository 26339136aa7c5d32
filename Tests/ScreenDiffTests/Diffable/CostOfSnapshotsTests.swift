import ScreenDiff
import Testing

/// Tests that the cost of a change of a snapshot is proportional to the number of items and sections, not to its square.
@Suite struct CostOfSnapshots {
    private let counts = Counts()
    /// With this number of items, a quadratic cost would exceed every limit in these tests.
    private let count = 10_000

    private func ids(_ numbers: some Sequence<Int>) -> [CountedID] {
        numbers.map { CountedID(number: $0, counts: counts) }
    }

    private func snapshot() -> DiffableSnapshot<CountedID, CountedID> {
        var snapshot = DiffableSnapshot<CountedID, CountedID>()
        snapshot.appendSections(ids([0]))
        snapshot.appendItems(ids(0..<count))
        counts.operations = 0
        return snapshot
    }

    private func expectLinear(_ change: (inout DiffableSnapshot<CountedID, CountedID>) -> Void) {
        var snapshot = snapshot()
        change(&snapshot)
        #expect(counts.operations <= 30 * count)
    }

    @Test func appendingItemsOneByOneTakesLinearTime() {
        expectLinear { for id in ids(count..<2 * count) { $0.appendItems([id]) } }
    }

    @Test func insertingManyItemsTakesLinearTime() {
        expectLinear { $0.insertItems(ids(count..<2 * count), beforeItem: ids([count / 2])[0]) }
        expectLinear { $0.insertItems(ids(count..<2 * count), afterItem: ids([count / 2])[0]) }
    }

    @Test func deletingManyItemsTakesLinearTime() {
        expectLinear { $0.deleteItems(ids(stride(from: count - 1, to: 0, by: -2))) }
    }

    @Test func movingAnItemTakesLinearTime() {
        expectLinear { $0.moveItem(ids([count - 1])[0], beforeItem: ids([count - 2])[0]) }
    }

    @Test func reloadingManyItemsTakesLinearTime() {
        expectLinear {
            $0.reloadItems(ids(0..<count))
            #expect($0.reloadedItemIdentifiers.count == count)
        }
    }

    @Test func changingManySectionsTakesLinearTime() {
        expectLinear {
            $0.appendSections(ids(1..<count))
            for id in ids(1..<count) { $0.appendItems([CountedID(number: -id.number, counts: counts)], toSection: id) }
            $0.deleteSections(ids(stride(from: count - 1, to: 0, by: -2)))
        }
    }
}

/// An identifier that counts how often it is hashed and compared.
private struct CountedID: Hashable {
    let number: Int
    let counts: Counts

    static func == (first: CountedID, second: CountedID) -> Bool {
        first.counts.operations += 1
        return first.number == second.number
    }

    func hash(into hasher: inout Hasher) {
        counts.operations += 1
        hasher.combine(number)
    }
}

private final class Counts {
    var operations = 0
}
