import ScreenDiff
import ScreenModel

struct TestCell: Hashable, Differentiable, CustomStringConvertible {
    var id: Int
    var content = 0

    var differenceIdentifier: Int { id }
    var description: String { "\(id)/\(content)" }
}

typealias TestModel = TableViewModel<Int, TestCell>
typealias TestSection = TestModel.Section

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    /// Sections by name with the ids of their cells, contents 0: `["a": [1, 2]]`.
    init(_ sections: KeyValuePairs<String, [Int]>) {
        self.init(sections: sections.map { name, ids in
            TestSection(id: name, header: 0, cells: ids.map { TestCell(id: $0) })
        })
    }

    var outline: Outline {
        Outline(
            sections: sections.map {
                let views = UInt64($0.header ?? 0) << 32 | UInt64($0.footer ?? 0)
                return Outline.Section(id: UInt64($0.id.utf8.first ?? 0), views: views, cellCount: $0.cells.count)
            },
            cells: sections.flatMap(\.cells).map { Outline.Cell(id: UInt64($0.id), content: UInt64($0.content)) }
        )
    }
}
