import Foundation
import Testing

/// Judges what the fuzzer found interesting: see `make fuzz`.
@Suite struct Corpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzzing/Corpus").standardized

    @Test func everyInputOfTheCorpusKeepsTheRules() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.count > 50)
        for name in names.sorted() {
            let input = Array(try Data(contentsOf: Self.folder.appending(path: name)))
            let (source, target) = ModelReader.pair(from: input)
            #expect(throws: Never.self, "\(name): \(source) to \(target)") { try judge(source, target) }
        }
    }
}
