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

/// Reads models from any bytes, so that a fuzzer's mutations are edits: each byte is one section or cell.
struct ModelReader {
    private var bytes: ArraySlice<UInt8>
    private let repeats: Bool

    /// Two models from one input, divided by its first byte.
    ///
    /// - Parameter repeats: whether ids of cells may repeat.
    static func pair(from input: [UInt8], repeats: Bool = false) -> (TestModel, TestModel) {
        guard let division = input.first else { return (TestModel(), TestModel()) }
        let rest = input.dropFirst()
        let middle = rest.index(rest.startIndex, offsetBy: Int(division), limitedBy: rest.endIndex) ?? rest.endIndex
        var source = ModelReader(bytes: rest[..<middle], repeats: repeats)
        var target = ModelReader(bytes: rest[middle...], repeats: repeats)
        return (source.model(), target.model())
    }

    /// The high bit begins a section: three bits of name, one of header. Other bytes are cells: six bits
    /// of id, one of content. What repeats a name, or an id that may not, is passed over.
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
