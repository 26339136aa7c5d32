import SeededRandom
import Testing

@testable import ScreenDiff

@Suite struct IdentityTables {
    @Test func repeatedIdentifiersArePairedInOrder() {
        let hashes: [UInt64] = [5, 6, 5, 5, 8]
        let (_, taken) = table(of: hashes, lookingFor: [5, 7, 6, 5, 5, 5, 6, 8])
        #expect(taken == [0, nil, 1, 2, 3, nil, nil, 4])
    }

    @Test func aRepeatedUnknownIdentifierOccupiesOnlyOneSlot() {
        let (table, _) = table(of: [], lookingFor: Array(repeating: 7, count: 100))
        #expect(table.slots.count { !$0.isFree } == 1)
        #expect(table.mayKnow(7))
        #expect(!table.mayKnow(8))
    }

    /// The look-ups fill the table. The probes are counted at the end, when the table is fullest, so that the count is the greatest.
    @Test(arguments: RepeatingLists.all) func aLookUpProbesAtMostFourSlotsOnAverage(_ lists: RepeatingLists) {
        let (source, target) = (hashes(lists.source), hashes(lists.target))
        let (table, _) = table(of: source, lookingFor: target)
        let probes = (source + target).reduce(0) { $0 + table.probes(for: $1) }
        #expect(probes <= 4 * lists.cellCount)
        #expect(table.slots.count <= 4 * lists.cellCount)
    }

    /// Returns a table that contains `hashes`. For each of the `targets`, also returns the position that was paired with it, or `nil`.
    /// Each hash is its own identifier.
    private func table(of hashes: [UInt64], lookingFor targets: [UInt64]) -> (IdentityTable, [Int?]) {
        var table = IdentityTable(capacity: hashes.count + targets.count, remembering: true)
        table.insert(hashes.indices.map(Int32.init)) {
            hashes[$0]
        } isEqual: {
            hashes[$0] == hashes[$1]
        }
        var taken = [Int?](repeating: nil, count: targets.count)
        table.take(targets.indices.map(Int32.init)) {
            targets[$0]
        } isEqual: {
            hashes[$0] == targets[$1]
        } found: { position, element in
            taken[Int(element)] = Int(position)
        }
        return (table, taken)
    }

    private func hashes(_ names: [Int]) -> [UInt64] {
        names.map { name in
            var generator = SeededGenerator(seed: UInt64(truncatingIfNeeded: name))
            return generator.next()
        }
    }
}

extension IdentityTable {
    /// The number of slots that a look-up probes.
    fileprivate func probes(for hash: UInt64) -> Int {
        var index = Self.start(hash, shift)
        var probes = 1
        while !slots[index].isFree && (slots[index].head == Self.unknown || slots[index].tag != UInt32(truncatingIfNeeded: hash)) {
            index = (index + 1) & (slots.count - 1)
            probes += 1
        }
        return probes
    }
}
