import ScreenDiff
import ScreenTesting
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenService

/// Tests that a client holds the new snapshot after it has applied a changeset to the old snapshot.
@Suite("Changesets between documents") struct EndToEndTests {
    /// A sequence of versions. Each version differs from the previous version by a few edits.
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

    @Test(arguments: walk.indices) func applyingAChangesetBetweenAnyTwoVersionsResultsInTheTargetVersion(number: Int) async throws {
        let source = Self.walk[number]
        for target in Self.walk {
            try lead(from: source, to: target)
            // Gives time to concurrent tests that wait for sockets.
            await Task.yield()
        }
    }

    @Test(arguments: Seeds.first(8)) func applyingAChangesetToAVersionResultsInTheNextVersion(seed: UInt64) throws {
        let versions = Self.versions(seed: seed, count: 40)
        for (source, target) in zip(versions, versions.dropFirst()) {
            try lead(from: source, to: target)
            let changeset = try ChangesetTree(JSONReader.read(target.rendered.changeset(from: source.rendered)))
            let held = try SnapshotTree(JSONReader.read(source.rendered.document.bytes))
            for kind in ListViewKind.allCases { try StrictStages.check(changeset, on: held, in: kind) }
        }
    }

    @Test func theChangesetsBetweenTheTestedVersionsContainEveryOperation() throws {
        var operations: Set<String> = []
        for (source, target) in zip(Self.walk, Self.walk.dropFirst()) {
            var held = source.document
            operations.formUnion(try held.apply(target.rendered.changeset(from: source.rendered)))
        }
        #expect(operations.count == 8, "\(operations)")
    }

    @Test func fingerprintsAreEqualIfAndOnlyIfTheContentIsEqual() throws {
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
        try expectNoSurvivorInserted(by: changeset, source)
    }

    /// Checks rule 6: a cell or a section that is in both versions is never deleted and inserted again. Also checks rule 2:
    /// inserted sections contain only new cells.
    ///
    /// To check rule 6, it is sufficient to check that no cell or section of the source is inserted. If a cell or section that is in both
    /// versions were only deleted, the result would not equal the target.
    private func expectNoSurvivorInserted(by changeset: JSONValue, _ source: Version) throws {
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

/// A check that equal contents have equal fingerprints, and that different contents have different fingerprints.
private struct Fingerprints {
    private var fingerprints: [String: UInt64] = [:]
    private var contents: [UInt64: String] = [:]

    var count: Int { fingerprints.count }

    mutating func expect(_ fingerprint: UInt64, for content: String) {
        #expect(fingerprints[content, default: fingerprint] == fingerprint, "\(content)")
        #expect(contents[fingerprint, default: content] == content)
        fingerprints[content] = fingerprint
        contents[fingerprint] = content
    }
}
