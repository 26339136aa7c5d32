import ScreenDiff
@testable import ScreenService
import ScreenWire
import SeededRandom
import Testing

/// From models to documents and back: what a client makes of a changeset is the new snapshot.
@Suite("Changesets between documents") struct EndToEndTests {
    /// Each follows from the one before it by a few edits.
    static let walk: [Version] = versions(seed: walkSeed, count: 60)
    private static let walkSeed = Seeds.given ?? 1

    struct Version: Sendable {
        let rendered: RenderedSnapshot
        let document: HeldDocument

        init(_ rendered: RenderedSnapshot) throws {
            self.rendered = rendered
            document = try HeldDocument(rendered.document.bytes)
        }
    }

    private static func versions(seed: UInt64, count: Int) -> [Version] {
        var lists = SeededLists(seed: seed, sections: 5, rowsAtOnce: 5)
        return (0..<count).map { number in
            let list = lists.next()
            return try! Version(seed.isMultiple(of: 2) ? list.renderedTable() : list.renderedCollection())
        }
    }

    @Test(arguments: walk.indices) func everyVersionLeadsToEveryOther(number: Int) async throws {
        let source = Self.walk[number]
        for target in Self.walk {
            try lead(from: source, to: target)
            // Tests of other targets wait for sockets meanwhile.
            await Task.yield()
        }
    }

    @Test(arguments: Seeds.first(8)) func everyVersionLeadsToTheNext(seed: UInt64) throws {
        let versions = Self.versions(seed: seed, count: 40)
        for (source, target) in zip(versions, versions.dropFirst()) { try lead(from: source, to: target) }
    }

    @Test func aClientThatAppliesEveryChangesetHoldsTheLastVersion() throws {
        var held = Self.walk[0].document
        for (source, target) in zip(Self.walk, Self.walk.dropFirst()) where source.rendered.version != target.rendered.version {
            try held.apply(target.rendered.changeset(from: source.rendered))
            #expect(held == target.document)
        }
    }

    @Test func theWalkGoesThroughEveryVerb() throws {
        var verbs: Set<String> = []
        for (source, target) in zip(Self.walk, Self.walk.dropFirst()) {
            var held = source.document
            verbs.formUnion(try held.apply(target.rendered.changeset(from: source.rendered)))
        }
        #expect(verbs.count == 8, "\(verbs)")
    }

    /// The words of an outline differ exactly where content does.
    @Test func fingerprintsAreEqualWhereBytesAre() throws {
        var fingerprints = Fingerprints()
        for version in Self.walk {
            let sections = version.document.sections
            let outline = version.rendered.outline
            for (section, word) in zip(sections, outline.sections) {
                fingerprints.expect(word.id, for: "section \(section.id)")
                fingerprints.expect(word.views, for: "views \(JSONValue.object(section.views))")
            }
            for (cell, word) in zip(sections.flatMap(\.cells), outline.cells) {
                fingerprints.expect(word.id, for: "cell \(cell["id"]!)")
                fingerprints.expect(word.content, for: "content \(cell)")
            }
        }
        #expect(fingerprints.count > 100)
    }

    private func lead(from source: Version, to target: Version) throws {
        let changeset = try JSONReader.read(target.rendered.changeset(from: source.rendered)).sorted
        var held = source.document
        do {
            try held.apply(changeset)
        } catch {
            Issue.record("\(error) in \(changeset), from \(source.rendered.text) to \(target.rendered.text)")
            return
        }
        #expect(held == target.document, "from \(source.rendered.text) to \(target.rendered.text)")
        try expectSurvivorsLeftAlone(by: changeset, source)
    }

    /// Rule 6, and of rule 2 that sections come with their new cells only. Nothing that was known
    /// comes, so whatever survives was not deleted: otherwise it would be missing in the end.
    private func expectSurvivorsLeftAlone(by changeset: JSONValue, _ source: Version) throws {
        let sourceSections = source.document.sections
        let known = Set(sourceSections.flatMap(\.cells).map { $0["id"] })
        let knownSections = Set(sourceSections.map(\.id))
        for stage in changeset["stages"]?.elements ?? [] {
            let comingSections = try (stage["insertSections"]?.elements ?? []).compactMap { $0["section"] }.map(HeldDocument.Section.init)
            let coming = (stage["insertCells"]?.elements ?? []).flatMap { $0["cells"]?.elements ?? [] } + comingSections.flatMap(\.cells)
            #expect(coming.allSatisfy { !known.contains($0["id"]) })
            #expect(comingSections.allSatisfy { !knownSections.contains($0.id) })
        }
    }
}

/// Checks that words and what they stand for belong to each other, one to one.
private struct Fingerprints {
    private var words: [String: UInt64] = [:]
    private var meanings: [UInt64: String] = [:]

    var count: Int { words.count }

    mutating func expect(_ word: UInt64, for meaning: String) {
        #expect(words[meaning, default: word] == word, "\(meaning)")
        #expect(meanings[word, default: meaning] == meaning)
        words[meaning] = word
        meanings[word] = meaning
    }
}
