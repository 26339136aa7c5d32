import ScreenModel
import TestModels

@testable import ScreenService

/// Checks renderings that reuse parts of the previous rendering. Models are rendered one after the other. Each result is compared with a
/// rendering that reuses nothing.
func judgeRendering(_ source: TestModel, _ target: TestModel) throws {
    let renderings = Renderings(of: source.content)
    for model in [target, target, source] {
        guard renderings.next(model.content) else { throw Referee.Violation("a rendering that reuses parts differs from a new one") }
    }
}

extension ContentHash {
    static let fixed = ContentHash(secret: Array(1...192))
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    fileprivate var content: ScreenContent<FuzzedModel> {
        let sections = sections.map { section in
            FuzzedModel.Section(
                id: section.id, header: section.header.map(FuzzedHeader.init), cells: section.cells.map(FuzzedCell.init)
            )
        }
        return ScreenContent(title: "Fuzzed", model: FuzzedModel(sections: sections))
    }
}

private typealias FuzzedModel = TableViewModel<FuzzedHeader, FuzzedCell>

private struct FuzzedHeader: ViewContent, Equatable {
    let number: Int

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("number", \.number)
    }
}

/// A cell for fuzzing. Ids and texts can be equal by `==` but have different bytes.
private struct FuzzedCell: CellContent, Equatable {
    private static let texts = [["a", "b"], ["caf\u{E9}", "cafe\u{301}"], ["K", "\u{212A}"], ["\u{F900}", "\u{8C48}"]]

    let id: String
    let text: String

    init(_ cell: TestCell) {
        id = cell.id < 8 ? "id " + Self.texts[cell.id / 2][cell.id % 2] : String(cell.id)
        text = Self.texts[cell.id % Self.texts.count][cell.content]
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
    }
}
