import ScreenDiff
import ScreenModel
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenService

@Suite("Versions") struct VersionTests {
    @Test(arguments: [
        (Version(high: 0, low: 0), "aaaaaaaaaaaaaaaaaaaaaaaaaa"),
        (Version(high: .max, low: .max), "77777777777777777777777774"),
        (Version(high: 0, low: 1), "aaaaaaaaaaaaaaaaaaaaaaaaae"),
        (Version(high: 1 << 63, low: 0), "qaaaaaaaaaaaaaaaaaaaaaaaaa"),
        (Version(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210), "aerukz4jvpg677w4xkmhmvbsca"),
    ])
    func aVersionIsConvertedToTheExpectedTextAndBack(version: Version, text: String) {
        #expect(version.description == text)
        #expect(Version(text) == version)
    }

    @Test(arguments: Seeds.first(1)) func aVersionIsReadFromItsText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let version = Version(high: generator.next(), low: generator.next() << UInt64.random(in: 0..<64, using: &generator))
            let text = version.description
            #expect(text.utf8.count == 26)
            #expect(Version(text) == version)
            #expect(Version(("x" + text).dropFirst()) == version)
        }
    }

    @Test(arguments: [
        "", "a", "aaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaa ", " aaaaaaaaaaaaaaaaaaaaaaaaa",
        "AAAAAAAAAAAAAAAAAAAAAAAAAA", "aaaaaaaaaaaaAaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaa0", "aaaaaaaaaaaaaaaaaaaaaaaaa1",
        "8aaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaa-aaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaa=", "aaaaaaaaaaaaaaaaaaaaaaaaé",
        "aaaaaaaaaaaaaaaaaaaaaaaaaé",
        "\"aaaaaaaaaaaaaaaaaaaaaaaa\"", "aaaaaaaaaaaaaaaaaaaaaaaaaa\0", "aaaaaaaaaaaaaaaaaaaaaaaaa\n", "a\u{301}aaaaaaaaaaaaaaaaaaaaaaaaa",
    ])
    func aTextThatIsNotAVersionIsRejected(text: String) {
        #expect(Version(text) == nil)
    }

    @Test func aTextIsNotAVersionIfItsTwoUnusedBitsAreNotZero() {
        for last in "bcdfghjklnoprstvwxz23567" { #expect(Version("aaaaaaaaaaaaaaaaaaaaaaaaa\(last)") == nil, "\(last)") }
        for last in "aeimquy4" { #expect(Version("aaaaaaaaaaaaaaaaaaaaaaaaa\(last)")?.description.last == last) }
    }
}

@Suite("Versions of content") struct ContentVersionTests {
    let list = List(["a": "1 2", "b": "3"])

    @Test func equalContentHasTheSameVersion() {
        #expect(list.renderedTable().version == List(["a": "1 2", "b": "3"]).renderedTable().version)
        #expect(list.renderedTable().document.version == list.renderedTable().version.description)
        #expect(
            list.renderedTable(hash: ContentHash(secret: (0..<192).map { ($0 ^ 1) &* 167 &+ 13 })).version == list.renderedTable().version)
    }

    /// The seal of a stored record is a hash of two parts. Later builds read the stored records, so the hash must not change.
    @Test func theHashOfTwoPartsEqualsTheHashOfTheirConcatenation() {
        var generator = SeededGenerator(seed: 1)
        for secretByteCount in [136, 192] {
            let hash = ContentHash(secret: (0..<secretByteCount).map { _ in .random(in: 0...255, using: &generator) })
            for count in Array(0...600) + [1023, 1024, 1025, 4096, 10_000] {
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let cut = Int.random(in: 0...count, using: &generator)
                #expect(hash.version(of: Array(bytes[..<cut]), Array(bytes[cut...])) == hash.version(of: bytes), "\(cut) of \(count)")
            }
        }
    }

    /// Clients keep versions across restarts of the server.
    @Test func aVersionIsTheSameInEveryProcess() {
        #expect(list.renderedTable().version.description == "kvuqlh3rr2wxydcfwrtdueofgq")
        #expect(ContentHash.fixed.hash("7534-1") == 2_772_197_003_986_172_503)
    }

    @Test func theVersionChangesIfAnyContentChanges() {
        var lists = [
            list, List(["a": "2 1", "b": "3"]), List(["b": "3", "a": "1 2"]), List(["a": "1", "b": "2 3"]), List(["a": "1 2", "c": "3"]),
        ]
        lists += [
            List(["a": "1 2", "b": "4"]), List(["a": "1 2 3"]), List(["a": "1 2", "b": "3", "c": ""]), List(["a": "1 2"]), List([:]),
        ]
        lists.append(list.with { $0.title = "Digits" })
        lists.append(list.with { $0.sections[0].rows[0].text = "new" })
        lists.append(list.with { $0.sections[0].header = Label("x") })
        lists.append(list.with { $0.sections[0].footer = Label("x") })
        lists.append(list.with { $0.sections[1].header = Label("x") })
        var versions = Set(lists.map { $0.renderedTable().version })
        #expect(versions.count == lists.count)
        versions.insert(list.renderedCollection().version)
        versions.insert(list.with { $0.sections[0].rows[0].badge = Label("x") }.renderedCollection().version)
        versions.insert(list.with { $0.sections[0].rows[1].badge = Label("x") }.renderedCollection().version)
        versions.insert(list.renderedTable(of: "digits").version)
        versions.insert(list.renderedTable(hash: .fixed(2)).version)
        #expect(versions.count == lists.count + 5)
    }

    @Test func theHashesInAnOutlineDependOnTheSecret() {
        let one = list.renderedTable().outline
        let other = list.renderedTable(hash: .fixed(2)).outline
        #expect(Set(one.cells.map(\.id)).isDisjoint(with: other.cells.map(\.id)))
        #expect(Set(one.cells.map(\.content)).isDisjoint(with: other.cells.map(\.content)))
        #expect(Set(one.sections.map(\.id)).isDisjoint(with: other.sections.map(\.id)))
    }
}

extension List {
    func with(_ change: (inout List) -> Void) -> List {
        var list = self
        change(&list)
        return list
    }
}
