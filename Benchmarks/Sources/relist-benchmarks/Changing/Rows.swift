import ScreenModel
import ScreenService
import Synchronization

/// A screen with many cells. Each cell has about 300 bytes. The model is built once, and each change replaces one cell.
final class Rows: Screen {
    typealias Model = TableViewModel<Never, RowCell>

    static let name = "rows"
    private static let topic = Topic("rows")

    let visibility = Visibility.everyone
    private let model: Mutex<Model>
    private let topics: Topics

    init(count: Int, topics: Topics) {
        let sections = (0..<100).map { section in
            Model.Section(
                id: "section \(section)",
                cells: (section * count / 100..<(section + 1) * count / 100).map { RowCell(number: $0) }
            )
        }
        model = Mutex(Model(sections: sections))
        self.topics = topics
    }

    let title: Text = "Rows"

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        topics.recorder?.record(Self.topic)
        return ScreenContent(title: "Rows", model: model.withLock { $0 })
    }

    func change(_ number: Int, to count: Int) {
        model.withLock { model in
            let size = model.sections[0].cells.count
            model.sections[number / size].cells[number % size].count = count
        }
        topics.announce([Self.topic])
    }
}

struct RowCell: CellContent, Selectable, Equatable {
    let number: Int
    let title: String
    let subtitle: String
    let note: String
    var count: Int

    init(number: Int) {
        self.number = number
        title = "Row \(number) of all that there are, by name"
        subtitle = "Thursday, July \(number % 31), in the afternoon"
        note = "A line of text as lists have it below their titles, which is cut where it is too long"
        count = number % 17
    }

    var id: String { "row-\(number)" }

    var whenSelected: Selection { .link(ScreenLink("rows", parameters: ["row": id])) }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
        field("subtitle", \.subtitle)
        field("note", \.note)
        field("count", \.count)
        field("isEven") { $0.number % 2 == 0 }
    }
}

/// A screen with many views. The data of each view changes independently of the other views.
final class Tiles: Screen {
    typealias Model = TableViewModel<Never, RowCell>

    static let name = "tiles"
    private static let index = Parameter.integer("index", in: 0...999, default: 0, "Which view.")

    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [index]
    private let counts = Mutex(Array(repeating: 0, count: 1000))
    private let topics: Topics

    init(topics: Topics) {
        self.topics = topics
    }

    let title: Text = "Tiles"

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let index = request[Self.index]
        topics.recorder?.record(Topic("tiles/\(index)"))
        var cells = (0..<30).map { RowCell(number: $0) }
        cells[7].count = counts.withLock { $0[index] }
        return ScreenContent(title: "Tiles", model: Model(cells: cells))
    }

    func change(_ index: Int, to count: Int) {
        counts.withLock { $0[index] = count }
        topics.announce([Topic("tiles/\(index)")])
    }
}
