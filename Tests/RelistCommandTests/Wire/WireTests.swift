import Foundation
import ScreenWire
import RelistSQLite
import TemporaryDatabase
import Testing

/// Compares documents with `Tests/Fixtures/Wire`. With `RELIST_RECORD=1` in the environment it
/// writes them there instead, for a change that is meant.
@Suite(.serialized) struct WireTests {
    private static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Fixtures/Wire").standardized
    private static let isRecording = ProcessInfo.processInfo.environment["RELIST_RECORD"] == "1"

    @Test(arguments: WireExample.all)
    func aDocumentReadsAsItsFixture(_ example: WireExample) async throws {
        let site = try await WireSite()
        let bytes = try await example.document(site)
        let document = site.naming(versionsIn: String(decoding: bytes, as: UTF8.self))
        let text = try JSONReader.read(Array(document.utf8)).lines() + "\n"
        let file = Self.folder.appendingPathComponent("\(example.name).json")
        if Self.isRecording {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let fixture = try String(contentsOf: file, encoding: .utf8)
        // Laid out for people, it says every byte of the document, whatever the reader and the writer make of it.
        #expect(Array(withoutLayout(fixture).utf8) == Array(document.utf8))
        #expect(fixture == text)
        await site.store.close()
    }

    @Test(.disabled(if: isRecording)) func everyFixtureHasItsDocument() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == WireExample.all.map { "\($0.name).json" }.sorted())
    }
}
