import ScreenModel
import ScreenWire
import TestModels

/// Checks the changeset between two models as a document. First both models are rendered, and the changeset is written and read. Then the
/// changeset is applied to the first document. The result must equal the second document byte by byte.
func judgeDocuments(_ source: TestModel, _ target: TestModel) throws {
    guard source != target else { return }
    let old = try SnapshotTree(source.document(version: "old"))
    let new = try SnapshotTree(target.document(version: "new"))
    let changeset = try ChangesetTree(try JSONReader.read(try old.changeset(to: new)))
    let result = try Playback(of: changeset, on: old).result
    guard result.document().bytes == new.document().bytes else {
        throw Referee.Violation("the documents differ after the changeset")
    }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    fileprivate func document(version: String) -> JSONValue {
        .object([
            .init("kind", .string("snapshot")), .init("screen", .string("fuzzed")), .init("version", .string(version)),
            .init("layout", .string("table")), .init("sections", .array(sections.map(\.document))),
        ])
    }
}

extension TestSection {
    fileprivate var document: JSONValue {
        .object([
            .init("id", .string(id)),
            .init("header", .object([.init("type", .string("h")), .init("text", .number("\(header ?? 0)"))])),
            .init("cells", .array(cells.map(\.document))),
        ])
    }
}

extension TestCell {
    fileprivate var document: JSONValue {
        .object([.init("id", .string("\(id)")), .init("type", .string("c")), .init("text", .number("\(content)"))])
    }
}
