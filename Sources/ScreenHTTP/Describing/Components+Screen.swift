import ScreenModel
import ScreenService
import ScreenWire

// The schemas of a screen's documents. Their names begin with the name of the screen.
extension Components {
    /// The suffixes in the names of a screen's schemas. The names are reserved before any schema is added, so that schemas can refer to
    /// each
    /// other.
    static let namedParts = ["Action", "ActionOffer", "Snapshot", "SnapshotInstead", "Changeset", "Changes"]

    mutating func addDocuments(of screen: DescribedScreen) {
        addActions(of: screen)
        let cell = views(screen.cellTypes, of: screen, areCells: true)
        let view = views(screen.viewTypes, of: screen, areCells: false)
        let prefix = screen.prefix
        let cells = cell.map(Schema.list) ?? ["type": "array", "maxItems": 0]
        let views = members(forViews: view, of: screen)
        let header = views.filter { $0.key == "header" }
        let rest = views.filter { $0.key != "header" }
        let section = add("\(prefix)Section", .object([Member("id", .text)] + header + [Member("cells", cells)] + rest))
        let stage = add("\(prefix)Stage", Self.stage(cell: cell, section: section, views: views))
        addSnapshots(of: screen, section)
        append(
            "\(prefix)Changeset",
            .object([
                Member("kind", .constant("changeset")), Member("screen", .constant(screen.name)),
                Member("from", .reference("Version")), Member("version", .reference("Version")), Member("title?", .text),
                Member("stages", .list(stage)),
            ])
        )
        let answers = [("changeset", "\(prefix)Changeset"), ("snapshot", "\(prefix)SnapshotInstead")]
        append("\(prefix)Changes", .union(of: answers, discriminator: "kind"))
    }

    private mutating func addSnapshots(of screen: DescribedScreen, _ section: Schema) {
        let kind = Member("kind", .constant("snapshot"))
        let reasons = [SnapshotReason.initial, .unknownVersion, .smaller].map(\.rawValue)
        let members = [
            Member("screen", .constant(screen.name)), Member("version", .reference("Version")),
            Member("layout", .constant(screen.layout)), Member("title", .text), Member("sections", .list(section)),
        ]
        append("\(screen.prefix)Snapshot", .object([kind] + members))
        append("\(screen.prefix)SnapshotInstead", .object([kind, Member("reason", .choice(reasons))] + members))
    }

    /// Returns the members of a section that hold its views. If the screen has no views, `view` is nil.
    private mutating func members(forViews view: Schema?, of screen: DescribedScreen) -> [Member] {
        guard let view else { return [] }
        let views = [Member("header?", view), Member("footer?", view)]
        guard screen.layout == Layout.collection.rawValue else { return views }
        let placed = Schema.object([Member("kind", .text), Member("cell?", .text), Member("item?", .index), Member("view", view)])
            .with("oneOf", [["required": ["cell"]], ["required": ["item"]]])
        return views + [Member("supplementary?", .list(add("\(screen.prefix)SupplementaryView", placed)))]
    }

    private static func stage(cell: Schema?, section: Schema, views: [Member]) -> Schema {
        let cell = cell ?? false
        let update = Schema.object([Member("at", .indices(2)), Member("cell", cell)])
        let insert = Schema.object([Member("at", .indices(2)), Member("cells", .list(cell))])
        return Schema.object([
            Member("updateCells?", .list(update)),
            Member("insertSections?", .list(.object([Member("at", .index), Member("section", section)]))),
            Member("deleteCells?", .list(.indices(3))), Member("insertCells?", .list(insert)),
            Member("moveCells?", .list(.indices(5))), Member("deleteSections?", .list(.index)),
            Member("moveSections?", .list(.indices(2))),
            Member("updateSections?", .list(.object([Member("at", .index)] + views))),
        ]).with("minProperties", 1)
    }
}

extension Components {
    /// Returns the schema of a screen's cells if `areCells` is true, or else of its views. Returns nil if the screen shows none of these.
    private mutating func views(_ types: [any ViewContent.Type]?, of screen: DescribedScreen, areCells: Bool) -> Schema? {
        let kind = areCells ? "Cell" : "View"
        let id = areCells ? [Member("id", .text)] : []
        guard let types else {
            let members = id + [Member("type", .text)] + offers(of: screen)
            return add("\(screen.prefix)\(kind)", .object(members, isClosed: false))
        }
        if types.isEmpty { return nil }
        let union = unique("\(screen.prefix)\(kind)")
        var components: [(text: String, name: String)] = []
        for type in types {
            let declared = DeclaredFields(of: type)
            for text in type.reuseIdentifiers {
                let members = id + [Member("type", .constant(text))] + members(of: declared) + offers(of: screen)
                let name = unique("\(screen.prefix)\(text.asComponentName)\(kind)")
                append(name, .object(members, isClosed: !declared.areOpen))
                components.append((text, name))
            }
        }
        append(union, .union(of: components, discriminator: "type"))
        return .reference(union)
    }

    /// Returns the optional members that are common to all cells and views.
    private mutating func offers(of screen: DescribedScreen) -> [Member] {
        let size = Member("size?", reference(to: Size.self))
        let link = Member("link?", .reference("Link"))
        let fallback = Member("fallback?", .reference("Fallback"))
        if screen.actions.isEmpty { return [size, link, fallback] }
        let offered = Member("actions?", Schema.list(.reference("\(screen.prefix)ActionOffer")).with("minItems", 1))
        return [size, Member("action?", .reference("\(screen.prefix)Action")), offered, link, fallback]
    }

    /// Adds the schemas of actions that cells offer. A client sends the input of such an action unchanged, or shows the input as the
    /// initial content of a form.
    private mutating func addActions(of screen: DescribedScreen) {
        if screen.actions.isEmpty { return }
        append("\(screen.prefix)Action", .oneOf(screen.actions.map { .object(Self.cellMembers(of: $0)) }))
        let title = [Member("title", .text), Member("disabled?", ["const": true]), Member("destructive?", ["const": true])]
        append("\(screen.prefix)ActionOffer", .oneOf(screen.actions.map { .object(Self.cellMembers(of: $0) + title) }))
    }

    private static func cellMembers(of action: Action) -> [Member] {
        let fields = action.fields.map { field in
            Member(field.name, ["type": [.string(field.type.jsonType), "null"]], isRequired: false)
        }
        return [Member("name", .constant(action.name)), Member("input?", .object(fields))]
    }
}
