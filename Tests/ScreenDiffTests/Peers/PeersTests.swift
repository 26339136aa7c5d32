import Foundation
import Testing

/// What users of DifferenceKit and CollectionModel write, as the rows of `Documentation/Peers.md` say it.
@Suite struct PeersTests {
    @Test func everyRowOfTheTablesNamesATestOfItsOwn() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let table = try text(folder.appending(path: "../../../Documentation/Peers.md").standardized)
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map(text)
        let tests = sources.flatMap { $0.matches(of: /@Test(?:\(.*\))? func (\w+)\(/).map { String($0.1) } }
        let named = table.matches(of: /\| `(\w+)` \|\n/).map { String($0.1) }
        // All lines but the heads of the two tables.
        let rows = table.matches(of: /\n\|\x20/).count - 2
        #expect(rows == named.count && rows > 30)
        for name in named { #expect(tests.contains(name), "there is no test \(name)") }
        #expect(Set(tests).subtracting(named) == ["everyRowOfTheTablesNamesATestOfItsOwn"])
    }

    private func text(_ file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
