import ScreenModel

@testable import ScreenService

/// The content of a small list, which can be rendered as a table or as a collection.
struct List: Hashable {
    var title = "Letters"
    var sections: [Group] = []

    struct Group: Hashable {
        var id: String
        var header: Label?
        var footer: Label?
        var rows: [Row] = []
        /// A supplementary view at a place after all cells. A table does not show it.
        var backdrop: Label?
    }
}

struct Row: CellContent, Hashable {
    var id: String
    var text = ""
    var number: Double?
    var tags: [String] = []
    /// A supplementary view of this cell. A table does not show it.
    var badge: Label?

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
        field.required("number", \.number)
        field("tags") { $0.tags.isEmpty ? nil : $0.tags }
    }
}

struct Label: ViewContent, Hashable {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
    }
}

extension List {
    /// Creates a list from the ids of sections and the ids of their cells, such as `["a": "1 2"]`.
    init(_ sections: KeyValuePairs<String, String>) {
        self.sections = sections.map { name, ids in
            Group(id: name, rows: ids.split(separator: " ").map { Row(id: String($0)) })
        }
    }

    var table: ScreenContent<TableViewModel<Label, Row>> {
        let sections = sections.map {
            TableViewSection(id: $0.id, header: $0.header, footer: $0.footer, cells: $0.rows)
        }
        return ScreenContent(title: title, model: TableViewModel(sections: sections))
    }

    var collection: ScreenContent<CollectionViewModel<Label, Row>> {
        let sections = sections.map { group in
            var views: [SupplementaryViewSectionKey: Label] = [:]
            for (item, row) in group.rows.enumerated() { views[SupplementaryViewSectionKey(kind: "badge", item: item)] = row.badge }
            views[SupplementaryViewSectionKey(kind: "backdrop", item: group.rows.count + 2)] = group.backdrop
            return CollectionViewSection(
                id: group.id, header: group.header, footer: group.footer, supplementaryViews: views, cells: group.rows
            )
        }
        return ScreenContent(title: title, model: CollectionViewModel(sections: sections))
    }
}
