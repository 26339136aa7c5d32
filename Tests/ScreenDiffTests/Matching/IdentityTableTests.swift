@testable import ScreenDiff
import SeededRandom
import Testing

@Suite struct IdentityTables {
    @Test func theKthIsTakenForTheKth() {
        var table = table(of: [5, 6, 5, 5])
        #expect((0..<4).map { _ in table.take(5, from: [5, 6, 5, 5]) } == [0, 2, 3, nil])
        #expect((0..<2).map { _ in table.take(6, from: [5, 6, 5, 5]) } == [1, nil])
        #expect(table.take(7, from: [5, 6, 5, 5]) == nil)
    }

    @Test func whatIsRememberedAgainAndAgainTakesOneSlot() {
        var table = IdentityTable(capacity: 100, positionCount: 0)
        for _ in 0..<100 { table.remember(7) }
        #expect(table.slots.count { !$0.isFree } == 1)
        #expect(table.mayKnow(7))
        #expect(!table.mayKnow(8))
    }

    /// Slots never become free, so a look-up has never probed more than it would at the end.
    @Test(arguments: RepeatingLists.all) func eachLookUpProbesAFewSlots(_ lists: RepeatingLists) {
        let (source, target) = (hashes(lists.source), hashes(lists.target))
        var table = table(of: source, room: target.count)
        for hash in target where table.take(hash, from: source) == nil { table.remember(hash) }
        let probes = (source + target).reduce(0) { $0 + table.probes(for: $1) }
        #expect(probes <= 4 * lists.cellCount)
        #expect(table.slots.count <= 4 * lists.cellCount)
    }

    private func table(of hashes: [UInt64], room: Int = 0) -> IdentityTable {
        var table = IdentityTable(capacity: hashes.count + room, positionCount: hashes.count)
        for (position, hash) in hashes.enumerated().reversed() { table.insert(position, hash: hash) { hashes[$0] == hash } }
        return table
    }

    private func hashes(_ names: [Int]) -> [UInt64] {
        names.map { name in
            var generator = SeededGenerator(seed: UInt64(truncatingIfNeeded: name))
            return generator.next()
        }
    }
}

extension IdentityTable {
    fileprivate mutating func take(_ hash: UInt64, from hashes: [UInt64]) -> Int? {
        take(hash: hash) { hashes[$0] == hash }
    }

    /// How many slots are looked at until there is one for that hash, or a free one.
    fileprivate func probes(for hash: UInt64) -> Int {
        (find(tagOf: hash) - start(hash)) & (slots.count - 1) + 1
    }
}
