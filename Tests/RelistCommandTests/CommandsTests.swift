import Foundation
import TemporaryDatabase
import Testing

@Suite("relist diff and relist apply") struct CommandsTests {
    private static let old = #"""
        {"kind":"snapshot","screen":"settings","version":"v1","layout":"table",
         "sections":[{"id":"userInfo","cells":[]},{"id":"account","cells":[{"id":"email","type":"field","n":1.50}]}]}
        """#
    private static let new = #"""
        {"kind":"snapshot","screen":"settings","version":"v2","layout":"table",
         "sections":[{"id":"userInfo","cells":[{"id":"email","type":"field","n":1.5}]}]}
        """#
    private static let changeset = #"""
        {"kind":"changeset","screen":"settings","from":"v1","version":"v2","stages":[{"updateCells":[{"at":[1,0],"cell":{"id":"email","type":"field","n":1.5}}]},{"moveCells":[[1,0,0,0,1]]},{"deleteSections":[1]}]}

        """#
    private static let result = #"""
        {"kind":"snapshot","screen":"settings","version":"v2","layout":"table","sections":[{"id":"userInfo","cells":[{"id":"email","type":"field","n":1.5}]}]}

        """#
    private static let explanation = """
        settings, from v1 to v2
        stage 1 of 3: update cells
          account/email: content changed (n)
        stage 2 of 3: move cells
          userInfo/email: moved here from account, which goes
        stage 3 of 3: delete sections
          account: deleted, because the new snapshot has no such section

        """
    private static let files = ["old.json": old, "new.json": new, "changes.json": changeset, "broken.json": "{\n \"kind\": }"]

    private func relist(_ arguments: String..., input: String = "") async throws -> CommandRun {
        try await CommandRun(arguments, files: Self.files, input: input)
    }

    private func expect(_ run: CommandRun, prints output: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(run.output == output, sourceLocation: sourceLocation)
        #expect(run.errors == "", sourceLocation: sourceLocation)
        #expect(run.exitCode == 0, sourceLocation: sourceLocation)
    }

    private func expect(
        _ run: CommandRun, refuses errors: String, exitCode: Int32 = 65, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(run.output == "", sourceLocation: sourceLocation)
        #expect(run.errors == errors, sourceLocation: sourceLocation)
        #expect(run.exitCode == exitCode, sourceLocation: sourceLocation)
    }

    @Test func theDiffCommandPrintsTheChangesetAndALineFeed() async throws {
        expect(try await relist("diff", "old.json", "new.json"), prints: Self.changeset)
    }

    @Test func theApplyCommandPrintsTheSnapshotAndALineFeed() async throws {
        expect(try await relist("apply", "old.json", "changes.json"), prints: Self.result)
    }

    @Test func aDashStandsForStandardInput() async throws {
        expect(try await relist("diff", "-", "new.json", input: Self.old), prints: Self.changeset)
        expect(try await relist("diff", "old.json", "-", input: Self.new), prints: Self.changeset)
        expect(try await relist("apply", "-", "changes.json", input: Self.old), prints: Self.result)
        expect(try await relist("apply", "old.json", "-", input: Self.changeset), prints: Self.result)
    }

    @Test func theExplainFlagPrintsAnExplanationInsteadOfTheChangeset() async throws {
        expect(try await relist("diff", "--explain", "old.json", "new.json"), prints: Self.explanation)
        expect(try await relist("apply", "old.json", "changes.json", "--explain"), prints: Self.explanation)
    }

    @Test func theSizesFlagPrintsTheBytesOfTheChangesetAndOfTheSnapshotInEachCoding() async throws {
        let result = try await relist("diff", "--sizes", "old.json", "new.json")
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows[0] == ["identity", "zstd", "br", "gzip"])
        #expect(rows[1][...1] == ["changeset", String(Self.changeset.utf8.count - 1)] && rows[1].count == 5)
        #expect(rows[2][0] == "snapshot" && rows[2].dropFirst().allSatisfy { Int($0) != nil } && rows.count == 3)
        let both = try await relist("diff", "--sizes", "--explain", "old.json", "new.json")
        #expect(both.exitCode == 64)
    }

    @Test func invalidJSONIsReportedWithLineAndColumn() async throws {
        expect(try await relist("diff", "old.json", "broken.json"), refuses: "relist: broken.json:2:10: unexpected \"}\"\n")
        expect(
            try await relist("apply", "-", "changes.json", input: ""), refuses: "relist: standard input:1:1: the text ends within a value\n"
        )
    }

    @Test func anInvalidDocumentIsReportedWithItsPath() async throws {
        let repeated = Self.new.replacing(#""cells":["#, with: #""cells":[{"id":"email","type":"row"},"#)
        expect(
            try await relist("diff", "old.json", "-", input: repeated),
            refuses: #"relist: standard input: /sections/0/cells/1/id is "email", as /sections/0/cells/0/id is already"# + "\n"
        )
    }

    @Test func faultsOfBothDocumentsAreReported() async throws {
        expect(
            try await relist("diff", "broken.json", "changes.json"),
            refuses: """
                relist: broken.json:2:10: unexpected "}"
                relist: changes.json: /kind is "changeset", not "snapshot"

                """)
    }

    @Test func aChangesetFromAnotherVersionIsRejected() async throws {
        expect(
            try await relist("apply", "new.json", "changes.json"),
            refuses: #"relist: changes.json: /from is "v1", but the snapshot's version is "v2""# + "\n"
        )
    }

    @Test func theStrictFlagRejectsAChangesetThatAClientWouldApply() async throws {
        let needless = Self.changeset.replacing(
            #"{"updateCells":[{"at":[1,0],"cell":{"id":"email","type":"field","n":1.5}}]},"#,
            with: #"{"updateCells":[{"at":[1,0],"cell":{"id":"email","type":"field","n":1.50}}]},"#)
        let unchanged = Self.result.replacing(#""n":1.5}"#, with: #""n":1.50}"#)
        expect(try await relist("apply", "old.json", "-", input: needless), prints: unchanged)
        expect(
            try await relist("apply", "--strict", "old.json", "-", input: needless),
            refuses: "relist: standard input: /stages/0/updateCells/0 changes nothing\n"
        )
        expect(try await relist("apply", "--strict", "old.json", "changes.json"), prints: Self.result)
    }

    @Test func differentSnapshotsWithTheSameVersionAreRejected() async throws {
        let other = Self.new.replacing(#""v2""#, with: #""v1""#)
        expect(
            try await relist("diff", "old.json", "-", input: other),
            refuses: "relist: standard input: /version is the old snapshot's too, but their contents differ\n"
        )
    }

    @Test func atMostTwentyFaultsAreListed() async throws {
        let cells = Array(repeating: "7", count: 10_000).joined(separator: ",")
        let run = try await relist(
            "diff", "old.json", "-",
            input: #"{"kind":"snapshot","screen":"s","version":"v","layout":"table","sections":[{"id":"a","cells":[\#(cells)]}]}"#)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines.first == "relist: standard input: /sections/0/cells/0 is a number, not an object")
        #expect(lines.last == "relist: standard input: and 9980 more")
        #expect(run.exitCode == 65)
    }

    @Test func theExitCodeForAFileThatCannotBeReadIs66() async throws {
        expect(
            try await relist("diff", "old.json", "nowhere.json"),
            refuses: "relist: nowhere.json cannot be read: No such file or directory\n", exitCode: 66)
        expect(try await relist("apply", ".", "changes.json"), refuses: "relist: . cannot be read: Is a directory\n", exitCode: 66)
    }

    @Test func onlyOneDocumentCanBeStandardInput() async throws {
        let run = try await relist("diff", "-", "-", input: Self.old)
        #expect(run.output == "")
        let line = "relist: Only one of the two documents can be standard input. See 'relist diff --help' for more information.\n"
        #expect(run.errors == line)
        #expect(run.exitCode == 64)
    }
}

/// A finished run of the built program `relist`, with its output and exit code.
struct CommandRun {
    let exitCode: Int32
    let output: String
    let errors: String

    /// Runs `relist` in a new folder that contains the given files.
    ///
    /// - Parameter input: the content of standard input.
    init(_ arguments: [String], files: [String: String] = [:], input: String = "") async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let inputFile = ".input"
        for (name, text) in files.merging([inputFile: input], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        let end = try await Program.relist(arguments, input: "\(folder.path)/\(inputFile)", in: folder.path).end()
        (exitCode, output, errors) = (end.status, end.output, end.errors)
    }
}
