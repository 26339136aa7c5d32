@testable import ScreenService
import SeededRandom
import Testing

@Suite("Random history") struct RandomHistoryTests {
    /// Printed with a failure by its argument; fixed, so that a run can be repeated.
    static let seeds: [UInt64] = Array(0..<60)

    /// Against a dictionary, with batches that fail and with restarts.
    @Test(arguments: seeds) func theStoreAlwaysEndsUpWithWhatWasRecorded(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ledger = HistoryLedger(bounds: HistoryBounds())
        var expected: [HistoryKey: (view: UInt64, supersededAt: Int64?)] = [:]
        var stored: [HistoryKey: HistoryRecord] = [:]
        var inFlight: HistoryBatch?
        for now in 0..<Int64(300) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                let key = HistoryKey.some(UInt64.random(in: 0..<6, using: &generator), of: Bool.random(using: &generator) ? .everyone : .user("a"))
                let view = UInt64.random(in: 0..<3, using: &generator)
                ledger.record(key, outline: .some(key.version.high), view: view, now: now)
                for (other, entry) in expected
                where other.audience == key.audience && other != key && entry.view == view && entry.supersededAt == nil {
                    expected[other]?.supersededAt = now
                }
                expected[key] = (view, nil)
            case 6: if inFlight == nil { inFlight = ledger.takeBatch() }
            case 7:
                inFlight.map { stored.apply($0) }
                inFlight = nil
            case 8:
                inFlight.map { ledger.giveBack($0) }
                inFlight = nil
            default:
                guard inFlight == nil else { continue }
                stored.apply(ledger.takeBatch())
                ledger = HistoryLedger(bounds: HistoryBounds())
                for record in stored.values { ledger.restore(record) }
            }
        }
        inFlight.map { ledger.giveBack($0) }
        stored.apply(ledger.takeBatch())
        #expect(Set(stored.keys) == Set(expected.keys))
        for (key, entry) in expected {
            #expect(stored[key]?.view == entry.view, "\(key)")
            #expect(stored[key]?.supersededAt == entry.supersededAt, "\(key)")
            #expect(ledger.outline(of: key) == .some(key.version.high))
        }
    }

    @Test(arguments: seeds) func countAndBytesAreThoseOfWhatIsThereAndWithinTheBounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bounds = HistoryBounds(versionsPerScreen: 4, age: 50, bytes: 4000)
        var ledger = HistoryLedger(bounds: bounds)
        var stored: [HistoryKey: HistoryRecord] = [:]
        let keys = ["a", "b", "c"].flatMap { user in (0..<9 as Range<UInt64>).map { HistoryKey.some($0, of: .user(user)) } }
        for now in 0..<Int64(300) {
            let key = keys.randomElement(using: &generator)!
            let number = key.version.high
            ledger.record(key, outline: .some(number, cells: Int(number) * 3), view: UInt64.random(in: 0..<3, using: &generator), now: now)
            if Bool.random(using: &generator) { ledger.prune(now: now) }
            if Bool.random(using: &generator) { stored.apply(ledger.takeBatch()) }
            let outlines = keys.compactMap { ledger.outline(of: $0) }
            #expect(ledger.count == outlines.count)
            #expect(ledger.bytes == outlines.reduce(0) { $0 + $1.bytes.count + 87 })
            #expect(ledger.bytes <= bounds.bytes)
            #expect(Dictionary(grouping: keys.filter { ledger.outline(of: $0) != nil }, by: \.audience).values.allSatisfy { $0.count <= 4 })
            #expect(ledger.outline(of: key) != nil)
        }
        stored.apply(ledger.takeBatch())
        #expect(Set(stored.keys) == Set(keys.filter { ledger.outline(of: $0) != nil }))
    }
}
