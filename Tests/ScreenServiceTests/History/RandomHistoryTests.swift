import SeededRandom
import Testing

@testable import ScreenService

@Suite("Random history") struct RandomHistoryTests {
    static let seeds = Seeds.first(60)

    /// Some batches fail. Sometimes all changes are written, and then an empty `HistoryMemory` replaces the current one, as after a
    /// restart.
    @Test(arguments: seeds) func allUsedVersionsAreWrittenToTheStore(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = HistoryInMemory()
        var memory = HistoryMemory(byteLimit: 1 << 20, hash: .fixed)
        var usedAt: [HistoryKey: Int64] = [:]
        for now in stride(from: 0, to: Int64(60_000), by: 200) {
            let key = HistoryKey.some(
                UInt64.random(in: 0..<6, using: &generator), of: Bool.random(using: &generator) ? .everyone : .user("a"))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                memory.note(key, outline: .some(key.version.high), view: 1, now: now)
                usedAt[key] = now
            case 4..<6:
                guard usedAt[key] != nil else { continue }
                memory.note(key, now: now)
                usedAt[key] = now
            case 6: if memory.beginWriting() != nil { memory.endWriting(false) }
            case 7..<9: try await write(&memory, to: store)
            default:
                while memory.unwrittenCount > 0 { try await write(&memory, to: store) }
                memory = HistoryMemory(byteLimit: 1 << 20, hash: .fixed)
            }
        }
        while memory.unwrittenCount > 0 { try await write(&memory, to: store) }
        for (key, time) in usedAt {
            let record = try #require(try await store.records(of: [key]).first)
            #expect(EncodedOutline(of: record, hash: .fixed) == .some(key.version.high))
            #expect(record.usedAt <= time && time - record.usedAt < HistoryBounds.useInterval)
        }
    }

    private func write(_ memory: inout HistoryMemory, to store: HistoryInMemory) async throws {
        guard let changes = memory.beginWriting() else { return }
        try await store.write(HistoryBatch(changes, hash: .fixed))
        memory.endWriting()
    }
}
