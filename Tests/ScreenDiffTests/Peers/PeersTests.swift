import Foundation
import Testing

/// Tests with code that users of DifferenceKit and CollectionModel write. There is one test for each row of
/// `Documentation/Peers.md`.
@Suite struct PeersTests {
    @Test func eachRowOfTheTablesInThePeersDocumentHasItsOwnTest() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let table = try text(folder.appending(path: "../../../Documentation/Peers.md").standardized)
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map(text)
        let tests = sources.flatMap { $0.matches(of: /@Test(?:\(.*\))? func (\w+)\(/).map { String($0.1) } }
        let named = table.matches(of: /\| `(\w+)` \|\n/).map { String($0.1) }
        // The header rows of the two tables are not counted.
        let rows = table.matches(of: /\n\|\x20/).count - 2
        #expect(rows == named.count && rows > 30)
        for name in named { #expect(tests.contains(name), "there is no test \(name)") }
        #expect(Set(tests).subtracting(named) == ["eachRowOfTheTablesInThePeersDocumentHasItsOwnTest"])
    }

    private func text(_ file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
