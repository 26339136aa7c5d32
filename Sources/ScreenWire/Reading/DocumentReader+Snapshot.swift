extension SnapshotTree {
    /// Reads a snapshot document.
    ///
    /// - Throws: All faults of the document.
    public init(_ json: JSONValue) throws(DocumentFaults) {
        var reader = DocumentReader()
        let tree = reader.snapshot(json)
        guard let tree, reader.faults.isEmpty else { throw DocumentFaults(faults: reader.faults) }
        self = tree
    }
}

extension DocumentReader {
    /// The names of the members of a snapshot. The member `reason` is allowed, but it is not stored in a ``SnapshotTree``.
    private static let snapshotNames: Set<String> = ["kind", "reason", "screen", "version", "layout", "title", "sections"]
    private static let sectionNames: Set<String> = ["id", "header", "cells", "footer", "supplementary"]
    /// The members of a view or a cell that are treated as absent if their value is null.
    private static let optionalNames: Set<String> = ["size", "action", "actions", "link"]

    fileprivate mutating func snapshot(_ json: JSONValue) -> SnapshotTree? {
        guard let members = members(json) else { return nil }
        guard isKind("snapshot", json) else { return nil }
        let screen = member("screen", of: json) { $0.text($1) }
        let version = member("version", of: json) { $0.text($1) }
        let layout = member("layout", of: json) { $0.word($1, of: [Layout.table.rawValue, Layout.collection.rawValue]) }
        let title = optional("title", of: json) { $0.text($1) }
        let sections = member("sections", of: json) { $0.elements(of: $1) { $0.section($1) } }
        checkIDs(json["sections"])
        guard let screen, let version, let layout = layout.flatMap(Layout.init), let sections else { return nil }
        return SnapshotTree(
            screen: screen, version: version, layout: layout, title: title, sections: sections,
            unknownMembers: members.filter { !Self.snapshotNames.contains($0.name) }
        )
    }

    mutating func section(_ json: JSONValue) -> SnapshotTree.Section? {
        guard let members = members(json) else { return nil }
        let id = member("id", of: json) { $0.text($1) }
        let views = views(of: json)
        let cells = member("cells", of: json) { $0.elements(of: $1) { $0.cell($1) } }
        guard let id, let cells else { return nil }
        let unknownMembers = members.filter { !Self.sectionNames.contains($0.name) }
        return SnapshotTree.Section(id: id, views: views, cells: SnapshotTree.Cells(cells), unknownMembers: unknownMembers)
    }

    mutating func cell(_ json: JSONValue) -> SnapshotTree.Cell? {
        guard members(json) != nil else { return nil }
        let id = member("id", of: json) { $0.text($1) }
        guard let view = typedContent(json), let id else { return nil }
        return SnapshotTree.Cell(id: id, type: view.type, content: view.content)
    }

    mutating func views(of json: JSONValue) -> SnapshotTree.Views {
        let header = optional("header", of: json) { $0.view($1) }
        let footer = optional("footer", of: json) { $0.view($1) }
        let supplementary = optional("supplementary", of: json) { $0.elements(of: $1) { $0.supplementary($1) } }
        return SnapshotTree.Views(header: header, footer: footer, supplementary: supplementary ?? [])
    }

    private mutating func view(_ json: JSONValue) -> SnapshotTree.View? {
        typedContent(json).map { SnapshotTree.View(type: $0.type, content: $0.content) }
    }

    /// Reads the JSON object of a cell or a view, without optional members whose value is null.
    private mutating func typedContent(_ json: JSONValue) -> (type: String, content: JSONValue)? {
        guard let members = members(json) else { return nil }
        guard let type = member("type", of: json, { $0.text($1) }) else { return nil }
        guard let fallback = fallback(of: json) else { return nil }
        func isOmitted(_ member: JSONValue.Member) -> Bool {
            if case .null = member.value { Self.optionalNames.contains(member.name) } else { false }
        }
        if fallback == .null && !members.contains(where: isOmitted) { return (type, json) }
        let content = members.filter { !isOmitted($0) }
        return (type, .object(content.map { $0.name == "fallback" ? JSONValue.Member("fallback", fallback) : $0 }))
    }

    /// Returns the fallback of a view. The result is a JSON null if the fallback is null or absent, and `nil` if the fallback cannot be
    /// read.
    private mutating func fallback(of json: JSONValue) -> JSONValue? {
        guard let fallback = json["fallback"], fallback != .null else { return .null }
        return at(.name("fallback")) { $0.typedContent(fallback)?.content }
    }

    private mutating func supplementary(_ json: JSONValue) -> SnapshotTree.SupplementaryView? {
        guard let members = members(json) else { return nil }
        let kind = member("kind", of: json) { $0.text($1) }
        let view = member("view", of: json) { $0.view($1) }
        if json["cell"] == nil && json["item"] == nil { fault(.noCellOrItem) }
        let cell = json["cell"] == nil ? nil : member("cell", of: json) { $0.text($1) }
        let item = json["item"] == nil ? nil : member("item", of: json) { $0.place($1) }
        guard let kind, let view else { return nil }
        let content = JSONValue.object(members.map { $0.name == "view" ? JSONValue.Member("view", view.content) : $0 })
        return SnapshotTree.SupplementaryView(kind: kind, cell: cell, item: cell == nil ? item : nil, view: view, content: content)
    }
}

extension DocumentReader {
    /// The place of a section, or of a cell if `item` is not nil.
    private typealias IDPlace = (section: Int, item: Int?)

    private mutating func checkIDs(_ json: JSONValue?) {
        guard case .array(let sections) = json else { return }
        var sectionIDs: [ExactText: IDPlace] = [:]
        var cellIDs: [ExactText: IDPlace] = [:]
        for (index, section) in sections.enumerated() {
            check(section, at: (index, nil), &sectionIDs)
            guard case .array(let cells) = section["cells"] else { continue }
            cellIDs.reserveCapacity(cellIDs.count + cells.count)
            for (item, cell) in cells.enumerated() { check(cell, at: (index, item), &cellIDs) }
        }
    }

    private mutating func check(_ json: JSONValue, at place: IDPlace, _ firstPlaces: inout [ExactText: IDPlace]) {
        guard case .string(let id) = json["id"] else { return }
        if let first = firstPlaces.updateValue(place, forKey: ExactText(id)) {
            firstPlaces[ExactText(id)] = first
            add(DocumentFault(pointer: Self.pointer(toIDAt: place), cause: .repeatedID(id, first: Self.pointer(toIDAt: first))))
        }
    }

    private static func pointer(toIDAt place: IDPlace) -> JSONPointer {
        let section = JSONPointer(steps: ["sections", .index(place.section)])
        return place.item.map { section.appending("cells", .index($0), "id") } ?? section.appending("id")
    }
}
