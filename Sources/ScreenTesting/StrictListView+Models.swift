public import ScreenClient
import ScreenDiff
public import ScreenModel

extension StrictListView where Content: ReuseIdentifying {
    /// Creates a view that shows a model.
    ///
    /// - Parameters:
    ///   - model: returns the current model.
    ///   - report: is called for each fault. By default, a fault ends the test process with its message, unless the broken rule is stricter
    ///     than UIKit.
    public convenience init<Model: SectionedModel>(
        _ kind: ListViewKind, showing model: @escaping () -> Model, report: @escaping (ListViewFault) -> Void = ListViewFault.end(with:)
    ) where Model.Section.Cell == Content {
        let sections = {
            model().map { section in
                let types = (section as? any ViewTyping)?.viewTypes ?? [:]
                return Section(cells: section.cells, views: Dictionary(uniqueKeysWithValues: types.map { ($0.name, $1) }))
            }
        }
        self.init(kind, sections: sections, reuseIdentifier: \.reuseIdentifier, report: report)
    }
}

extension ViewPlace {
    fileprivate var name: String {
        switch self {
        case .header: "header"
        case .footer: "footer"
        case .supplementary(let key): "\(key.kind) at item \(key.item)"
        }
    }
}

extension StrictListView where Content == ListModel.Cell {
    /// Creates a view that shows the content of a screen from a server.
    ///
    /// - Parameters:
    ///   - list: returns the current sections.
    ///   - report: is called for each fault. By default, a fault ends the test process with its message, unless the broken rule is stricter
    ///     than UIKit.
    public convenience init(
        _ kind: ListViewKind, showing list: @escaping () -> ListModel.Sections,
        report: @escaping (ListViewFault) -> Void = ListViewFault.end(with:)
    ) {
        let sections = { list().map(Section.init) }
        self.init(kind, sections: sections, reuseIdentifier: \.reuseIdentifier, report: report)
    }
}

extension StrictListView<ListModel.Cell>.Section {
    /// Creates a section of a screen from a server, with the types of its views.
    init(_ section: ListModel.Section) {
        self.init(cells: Array(section.cells))
        views = ["header": section.header?.reuseIdentifier, "footer": section.footer?.reuseIdentifier].compactMapValues(\.self)
        let ids = Set(cells.lazy.map(\.id))
        for view in section.supplementary where view.cell.map(ids.contains) ?? true {
            views["\(view.kind) at \(view.cell.map { "cell \($0)" } ?? "item \(view.item ?? 0)")"] = view.view.reuseIdentifier
        }
    }
}
