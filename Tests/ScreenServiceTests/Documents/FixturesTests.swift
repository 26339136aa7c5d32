import Foundation
import ScreenDiff
import ScreenWire
import Testing

@testable import ScreenService

/// Tests that computed changesets equal the fixtures on disk. The tests of the page apply the same fixtures.
///
/// `RELIST_RECORD=1 swift test --filter FixturesTests` records the fixtures.
@Suite("Fixtures of changesets") struct FixturesTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Changesets")
    static let isRecording = ProcessInfo.processInfo.environment["RELIST_RECORD"] == "1"

    static let fixtures: [Fixture] = (singles + combinations).enumerated().map { Fixture(number: $0 + 1, edits: $1) }
    static let singles = Edit.allCases.map { [$0] }
    static let combinations: [[Edit]] = [
        [], [.moveCells, .moveCells, .moveCells], [.insertCells, .deleteCells, .moveCells], [.updateCells, .moveCells],
        [.updateCells, .moveAcross],
        [.insertSection, .insertSection], [.deleteSection, .deleteSection], [.moveSection, .moveSection], [.insertSection, .deleteSection],
        [.insertSection, .moveSection], [.deleteSection, .moveSection], [.mergeSections, .mergeSections], [.splitSection, .splitSection],
        [.splitSection, .mergeSections], [.mergeSections, .moveSection], [.splitSection, .updateCells, .header],
        [.header, .footer, .badges],
        [.badges, .moveCells], [.badges, .moveAcross], [.title, .insertCells], [.deleteSection, .deleteSection, .deleteSection],
        [.moveSection, .moveAcross, .updateCells], [.insertSection, .moveAcross, .moveAcross, .deleteSection], Edit.allCases,
        Edit.allCases.reversed(), Edit.allCases + Edit.allCases,
    ]

    @Test(arguments: fixtures) func aFixtureFileEqualsTheComputedFixture(fixture: Fixture) throws {
        let file = Self.folder.appending(path: fixture.fileName)
        if Self.isRecording { try Data(fixture.text.utf8).write(to: file) }
        let recorded = try String(contentsOf: file, encoding: .utf8)
        #expect(Array(recorded.utf8) == Array(fixture.text.utf8), "\(fixture.fileName) has changed")
        #expect(recorded.utf8.count < 6000)
    }

    @Test(arguments: fixtures) func applyingTheChangesetOfAFixtureResultsInItsTarget(fixture: Fixture) throws {
        var held = try HeldDocument(fixture.source.document.bytes)
        try held.apply(fixture.changeset)
        #expect(try held == HeldDocument(fixture.target.document.bytes))
    }

    @Test func theFixturesContainEveryOperationAndManyCombinationsOfOperations() throws {
        let stages = try Self.fixtures.map { try JSONReader.read($0.changeset)["stages"]?.elements ?? [] }
        let verbs = stages.map { $0.flatMap(\.names) }
        let all = [
            "deleteCells", "deleteSections", "insertCells", "insertSections", "moveCells", "moveSections", "updateCells", "updateSections",
        ]
        #expect(Set(verbs.joined()).sorted() == all)
        #expect(Set(verbs.map(\.count)).isSuperset(of: [0, 1, 2, 3, 4, 8]))
        #expect(stages.contains { $0.count == 5 })
        #expect(stages.joined().contains { Set($0.names) == ["deleteCells", "insertCells", "moveCells"] })
        #expect(stages.joined().contains { Set($0.names) == ["deleteSections", "moveSections"] })
    }

    @Test func theFolderOfFixturesIsSmallAndContainsOnlyCurrentFixtures() throws {
        let numbered = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.first?.isNumber == true }
        if Self.isRecording {
            for stale in Set(numbered).subtracting(Self.fixtures.map(\.fileName)) {
                try FileManager.default.removeItem(at: Self.folder.appending(path: stale))
            }
        } else {
            #expect(numbered.sorted() == Self.fixtures.map(\.fileName).sorted())
        }
        #expect(Self.fixtures.reduce(0) { $0 + $1.text.utf8.count } < 140_000)
    }
}

struct Fixture: Sendable, CustomTestStringConvertible {
    let number: Int
    let edits: [Edit]
    let source: RenderedSnapshot
    let target: RenderedSnapshot

    /// Creates a fixture. Its seed is the first seed for which the changeset contains the operations of all edits. If no seed is
    /// found, `number` is used as the seed.
    init(number: Int, edits: [Edit]) {
        let expected = edits.reduce(into: Set()) { $0.formUnion($1.traces) }
        self.number = number
        self.edits = edits
        let found = (0..<500).lazy.map { Self.pair(seed: UInt64(number + 100 * $0), edits) }.first { source, target in
            let changeset = try? JSONReader.read(target.changeset(from: source))
            return expected.isSubset(of: (changeset?.names ?? []) + (changeset?["stages"]?.elements ?? []).flatMap(\.names))
        }
        (source, target) = found ?? Self.pair(seed: UInt64(number), edits)
    }

    private static func pair(seed: UInt64, _ edits: [Edit]) -> (RenderedSnapshot, RenderedSnapshot) {
        var lists = SeededLists(seed: seed, sections: 4)
        let source = lists.list
        for edit in edits { lists.apply(edit) }
        let isTable = seed.isMultiple(of: 3) && Set(edits).isDisjoint(with: [.badges, .backdrop])
        if isTable { return (source.renderedTable(), lists.list.renderedTable()) }
        return (source.renderedCollection(), lists.list.renderedCollection())
    }

    var changeset: [UInt8] { target.changeset(from: source) }

    var name: String {
        switch edits.count {
        case 0: "nothing"
        case 1...3: edits.map(\.rawValue).joined(separator: "-and-")
        default: "\(edits.count)-edits"
        }
    }

    var fileName: String { "\(number < 10 ? "0" : "")\(number)-\(name).json" }
    var testDescription: String { fileName }

    var text: String {
        """
        {"name":"\(name.replacing("-", with: " "))",
        "source":\(source.text),
        "changeset":\(String(decoding: changeset, as: UTF8.self)),
        "target":\(target.text)}

        """
    }
}

extension Edit {
    /// The names of the members that a changeset contains because of this edit.
    fileprivate var traces: [String] {
        switch self {
        case .updateCells: ["updateCells"]
        case .insertCells: ["insertCells"]
        case .deleteCells: ["deleteCells"]
        case .moveCells, .moveAcross: ["moveCells"]
        case .insertSection: ["insertSections"]
        case .deleteSection: ["deleteSections"]
        case .moveSection: ["moveSections"]
        case .mergeSections: ["moveCells", "deleteSections"]
        case .splitSection: ["moveCells", "insertSections"]
        case .header, .footer, .badges, .backdrop: ["updateSections"]
        case .title: ["title"]
        }
    }
}

extension JSONValue {
    fileprivate var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }
}
