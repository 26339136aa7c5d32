import ScreenDiff
import SeededRandom
import Testing

@testable import ScreenService

@Suite("Encoded outlines") struct EncodedOutlineTests {
    static let seeds = Seeds.first(30)

    @Test func anOutlineIsEncodedInAFixedByteLayout() {
        let outline = Outline(
            sections: [.init(id: 1, views: 0x0203, cellCount: 1), .init(id: 4, views: 5, cellCount: 0)],
            cells: [.init(id: 6, content: .max)])
        let encoded = EncodedOutline(outline: outline, title: 0x0807_0605_0403_0201)
        let sections: [UInt8] =
            [1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] + [4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let cells: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 255, count: 8)
        #expect(encoded.bytes == [2, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0, 0, 0] + sections + cells)
    }

    @Test(arguments: seeds) func aDecodedOutlineEqualsTheOriginalOutline(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let outline = Outline.random(using: &generator)
        let title = generator.next()
        let encoded = EncodedOutline(outline: outline, title: title)
        #expect(encoded.outline == outline)
        #expect(encoded.title == title)
        #expect(EncodedOutline.resealed(encoded.bytes) == encoded)
    }

    /// The design allows at most 16 bytes per cell, 20 bytes per section and 128 bytes per version. These sizes include
    /// everything that is stored in memory for an outline.
    @Test(arguments: seeds) func anOutlineUsesNoMoreMemoryThanTheDesignAllows(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let outline = Outline.random(using: &generator)
        let limit = 16 * outline.cells.count + 20 * outline.sections.count + 128 + 13
        let encoded = EncodedOutline(outline: outline, title: 1)
        #expect(encoded.bytes.count <= limit)
        var memory = HistoryMemory(byteLimit: 1 << 20, hash: .fixed)
        memory.note(.some(1), outline: encoded, view: 1, now: 0)
        _ = memory.beginWriting()
        memory.endWriting()
        #expect(memory.usage.bytes <= limit)
    }

    @Test func anEncodedOutlineOfAnUnknownFormatIsRejected() {
        var bytes = EncodedOutline(outline: Outline(sections: [], cells: []), title: 1).bytes
        for format in UInt8.min...UInt8.max {
            bytes[0] = format
            #expect((EncodedOutline.resealed(bytes) != nil) == (format == 2))
        }
    }

    @Test func anEncodedOutlineWhoseCountsDoNotMatchItsLengthIsRejected() {
        let outline = Outline(sections: [.init(id: 1, views: 2, cellCount: 1)], cells: [.init(id: 3, content: 4)])
        let bytes = EncodedOutline(outline: outline, title: 1).bytes
        for place in [9, 10, 11, 12, 29, 30, 31, 32] {
            for value: UInt8 in [2, 127, 255] {
                var damaged = bytes
                damaged[place] = value
                #expect(EncodedOutline.resealed(damaged) == nil)
            }
        }
        #expect(EncodedOutline.resealed([2] + Array(repeating: 255, count: 60)) == nil)
    }

    /// Damaged bytes can have a valid seal by accident, and can then be decoded. Comparing the decoded outline with another outline must
    /// not crash.
    @Test(arguments: seeds) func comparingOutlinesThatAreDecodedFromDamagedBytesNeverCrashes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let target = Outline.random(using: &generator)
        let bytes = EncodedOutline(outline: target, title: 1).bytes
        for count in 0..<bytes.count { #expect(EncodedOutline.resealed(Array(bytes.prefix(count))) == nil) }
        #expect(EncodedOutline.resealed(bytes + [0]) == nil)
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 1: damaged[place] = .random(in: .min ... .max, using: &generator)
                case 2: damaged.remove(at: place)
                default: damaged.insert(0, at: place)
                }
                if damaged.isEmpty { damaged = bytes }
            }
            guard let read = EncodedOutline.resealed(damaged) else { continue }
            #expect(read.bytes == damaged)
            _ = target.stages(from: read.outline)
        }
    }
}

extension EncodedOutline {
    /// Adds a valid seal to bytes. Returns the outline that is decoded from the sealed bytes, or `nil` if they are rejected.
    fileprivate static func resealed(_ bytes: [UInt8]) -> EncodedOutline? {
        EncodedOutline(
            of: HistoryRecord(key: .some(1), view: 1, outline: bytes + seal(of: bytes, .some(1), .fixed), usedAt: 0), hash: .fixed)
    }
}

extension Outline {
    static func random(using generator: inout SeededGenerator) -> Outline {
        let sections = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
            Section(id: generator.next(), views: generator.next(), cellCount: Int.random(in: 0..<12, using: &generator))
        }
        let count = sections.reduce(0) { $0 + $1.cellCount }
        return Outline(sections: sections, cells: (0..<count).map { _ in Cell(id: generator.next(), content: generator.next()) })
    }
}
