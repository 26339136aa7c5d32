package import ScreenDiff
package import ScreenModel

package struct TestCell: Hashable, Differentiable, Sendable, CustomStringConvertible {
    package var id: Int
    package var content: Int

    package init(id: Int, content: Int = 0) {
        self.id = id
        self.content = content
    }

    package var differenceIdentifier: Int { id }
    package var description: String { "\(id)/\(content)" }
}

package typealias TestModel = TableViewModel<Int, TestCell>
package typealias TestSection = TestModel.Section

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    /// Creates sections from their names and the ids of their cells, such as `["a": [1, 2]]`. The content of each cell is 0.
    package init(_ sections: KeyValuePairs<String, [Int]>) {
        self.init(
            sections: sections.map { name, ids in
                TestSection(id: name, header: 0, cells: ids.map { TestCell(id: $0) })
            })
    }

    /// Creates the model that an outline of ``SmallModels`` describes.
    package init(_ outline: Outline) {
        var cells = outline.cells[...]
        self.init(
            sections: outline.sections.map { section in
                defer { cells = cells.dropFirst(section.cellCount) }
                let name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(section.id)))
                return TestSection(
                    id: name, header: 0, cells: cells.prefix(section.cellCount).map { TestCell(id: Int($0.id), content: Int($0.content)) })
            })
    }

    package var outline: Outline {
        Outline(
            sections: sections.map {
                let views = UInt64($0.header ?? 0) << 32 | UInt64($0.footer ?? 0)
                return Outline.Section(id: UInt64($0.id.utf8.first ?? 0), views: views, cellCount: $0.cells.count)
            },
            cells: sections.flatMap(\.cells).map { Outline.Cell(id: UInt64($0.id), content: UInt64($0.content)) }
        )
    }
}

/// A reader that converts any bytes to models. Each byte is one section or one cell, so that each mutation by a fuzzer is an
/// edit.
package struct ModelReader {
    private var bytes: ArraySlice<UInt8>
    private let repeats: Bool

    /// Returns two models from one input. The first byte determines where the input is divided.
    ///
    /// - Parameter repeats: a Boolean value that indicates whether ids of cells may repeat.
    package static func pair(from input: [UInt8], repeats: Bool = false) -> (TestModel, TestModel) {
        guard let division = input.first else { return (TestModel(), TestModel()) }
        let rest = input.dropFirst()
        let middle = rest.index(rest.startIndex, offsetBy: Int(division), limitedBy: rest.endIndex) ?? rest.endIndex
        var source = ModelReader(bytes: rest[..<middle], repeats: repeats)
        var target = ModelReader(bytes: rest[middle...], repeats: repeats)
        return (source.model(), target.model())
    }

    /// Reads a model. A byte whose high bit is set begins a section. Three bits of this byte are the name of the section, and one bit is
    /// the header. Any other byte is a cell. Six bits are the id of the cell, and one bit is the content. A byte is skipped if it repeats
    /// the name of a section, or if it repeats the id of a cell and `repeats` is false. Cells before the first section are also skipped.
    private mutating func model() -> TestModel {
        var model = TestModel()
        var names: Set<UInt8> = []
        var ids: Set<UInt8> = []
        for byte in bytes {
            if byte & 0x80 != 0 {
                let name = byte & 0x07
                guard names.insert(name).inserted else { continue }
                let id = String(UnicodeScalar(UInt8(ascii: "a") + name))
                model.sections.append(TestSection(id: id, header: Int(byte >> 3 & 1), cells: []))
            } else if !model.isEmpty, ids.insert(byte & 0x3F).inserted || repeats {
                let cell = TestCell(id: Int(byte & 0x3F), content: Int(byte >> 6))
                model.sections[model.count - 1].cells.append(cell)
            }
        }
        return model
    }
}
