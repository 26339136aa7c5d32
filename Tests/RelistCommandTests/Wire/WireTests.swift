import Foundation
import ScreenWire
import TemporaryDatabase
import Testing

/// Tests that compare documents with the fixtures in `Tests/Fixtures/Wire`. After an intended change, run them with
/// `RELIST_RECORD=1` in the environment to write the fixtures.
@Suite(.serialized) struct WireTests {
    private static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Fixtures/Wire").standardized
    private static let isRecording = ProcessInfo.processInfo.environment["RELIST_RECORD"] == "1"

    @Test(arguments: WireExample.all)
    func eachWireDocumentEqualsItsFixture(_ example: WireExample) async throws {
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
        // The documents are compared byte by byte and not as JSON values, because the JSON reader and writer are under test.
        #expect(Array(withoutLayout(fixture).utf8) == Array(document.utf8))
        #expect(fixture == text)
        await site.close()
    }

    @Test(.disabled(if: isRecording)) func theFolderOfWireFixturesContainsOneFileForEachExample() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == WireExample.all.map { "\($0.name).json" }.sorted())
    }
}
