import Foundation
import ScreenModel
import ScreenWire
import SeededRandom
import Testing

@Suite("Random JSON") struct RandomDocumentsTests {
    static let seeds = Seeds.first(50)

    @Test(arguments: seeds) func theJSONReaderReadsRandomValuesAsTheJSONWriterWroteThem(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let value = JSONValue.random(depth: 4, using: &generator)
            let json = written(value)
            #expect(try JSONReader.read(Array(json.utf8)) == value, "\(json)")
        }
    }

    @Test(arguments: seeds) func aDoubleIsWrittenInItsShortestForm(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let number = Double(bitPattern: generator.next())
            if number.isFinite { #expect(written(number).isShortest(for: number), "\(number)") }
        }
    }

    @Test(arguments: seeds) func foundationReadsRandomValuesAsTheJSONWriterWroteThem(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let value = JSONValue.random(depth: 4, using: &generator)
            let json = written(value)
            let read = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
            #expect(read.isSame(as: value), "\(json)")
        }
    }

    @Test(arguments: seeds) func theJSONReaderReadsRandomValuesAsFoundationWroteThem(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let encoder = JSONEncoder()
        encoder.outputFormatting = seed.isMultiple(of: 2) ? [.sortedKeys, .prettyPrinted] : [.sortedKeys]
        for _ in 0..<20 {
            let value = JSONValue.random(depth: 4, using: &generator)
            let json = try encoder.encode(value)
            #expect(try JSONReader.read(Array(json)).isSame(as: value), "\(String(decoding: json, as: UTF8.self))")
        }
    }

    @Test(arguments: seeds) func aDamagedDocumentIsReadOrRejectedAtAnOffsetWithinTheDocument(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let document = Array(written(JSONValue.random(depth: 4, using: &generator)).utf8)
            for _ in 0..<10 {
                let damaged = damage(document, using: &generator)
                switch Result(catching: { () throws(JSONSyntaxError) in try JSONReader.read(damaged) }) {
                case .success(let value): #expect(try JSONReader.read(Array(written(value).utf8)) == value, "\(damaged)")
                case .failure(let error): #expect((0...damaged.count).contains(error.offset), "\(error) in \(damaged)")
                }
            }
        }
    }

    /// Returns the document with a few bytes changed, removed or inserted. Most new bytes have a meaning in JSON.
    private func damage(_ document: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        let candidates = Array(#"{}[]",:\u0123456789abcdefD-+.eE tn"#.utf8) + [0, 0x1F, 0x80, 0xC3, 0xED, 0xFF]
        var bytes = document
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            let byte = candidates.randomElement(using: &generator)!
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.insert(byte, at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 3: bytes.removeSubrange(place...)
            default: if place < bytes.count { bytes[place] = byte }
            }
        }
        return bytes
    }
}

extension JSONValue {
    static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .int(Int(truncatingIfNeeded: generator.next()) >> Int.random(in: 0..<64, using: &generator))
        case 3: return .double(Double(bitPattern: generator.next()))
        case 4: return .double(Double.random(in: -1000...1000, using: &generator).rounded() / 8)
        case 5: return .string(text(using: &generator))
        case 6: return .array((0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            let members = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                (text(using: &generator), random(depth: depth - 1, using: &generator))
            }
            return .object(OrderedFields(members))
        }
    }

    private static func text(using generator: inout SeededGenerator) -> String {
        let characters = Array("ab\"\\/\u{0}\u{1F}\n\u{7F}é\u{2028}🏔[{,:")
        return String((0..<Int.random(in: 0..<8, using: &generator)).map { _ in characters.randomElement(using: &generator)! })
    }
}
