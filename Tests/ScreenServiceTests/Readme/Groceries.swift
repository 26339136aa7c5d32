import ScreenModel
import ScreenService
import Synchronization

struct Groceries: Screen {
    static let name = "groceries"
    static let item = Field.text("item", limit: 100) { $0 == .french ? "Article" : "Item" }

    let visibility = Visibility.everyone
    let list: GroceryList

    func title(in locale: ScreenLocale) -> String { locale == .french ? "Courses" : "Groceries" }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, GroceryCell>> {
        let items = list.items
        return ScreenContent(
            title: title(in: request.locale),
            model: TableViewModel { TableViewSection(id: "list") { for item in items { GroceryCell(item: item) } } }
        )
    }

    var actions: [Action] {
        [Action("add", "Puts something on the list.", Self.item) { _, item in try list.add(item) }]
    }
}

struct GroceryCell: CellContent {
    let item: String

    var id: String { item }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.item)
    }
}

/// The list: reading it records a topic, changing it announces that topic.
final class GroceryList: Sendable {
    private static let topic = Topic("groceries")
    private let kept = Mutex<[String]>([])
    private let topics: Topics

    /// - Parameter topics: those of the service's store.
    init(topics: Topics) {
        self.topics = topics
    }

    var items: [String] {
        topics.recorder?.record(Self.topic)
        return kept.withLock { $0 }
    }

    func add(_ item: String) throws {
        try kept.withLock { items in
            guard !items.contains(item) else { throw BrokenRules([BrokenRule(field: "item", "It is on the list already.")]) }
            items.append(item)
        }
        topics.announce([Self.topic])
    }
}
