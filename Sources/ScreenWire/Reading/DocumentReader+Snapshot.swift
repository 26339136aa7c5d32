extension SnapshotTree {
    /// Reads a snapshot document.
    ///
    /// - Throws: all that is wrong with it.
    public init(_ json: JSONValue) throws(DocumentFaults) {
        var reader = DocumentReader()
        let tree = reader.snapshot(json)
        guard let tree, reader.faults.isEmpty else { throw DocumentFaults(faults: reader.faults) }
        self = tree
    }
}

extension DocumentReader {
    /// `reason` says why a snapshot was sent where a changeset was asked for. It is no part of what is shown.
    private static let snapshotNames: Set<String> = ["kind", "reason", "screen", "version", "layout", "title", "sections"]
    private static let sectionNames: Set<String> = ["id", "header", "cells", "footer", "supplementary"]
    /// What means the same absent and null in a view or a cell.
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
            rest: members.filter { !Self.snapshotNames.contains($0.name) }
        )
    }

    mutating func section(_ json: JSONValue) -> SnapshotTree.Section? {
        guard let members = members(json) else { return nil }
        let id = member("id", of: json) { $0.text($1) }
        let views = views(of: json)
        let cells = member("cells", of: json) { $0.elements(of: $1) { $0.cell($1) } }
        guard let id, let cells else { return nil }
        let rest = members.filter { !Self.sectionNames.contains($0.name) }
        return SnapshotTree.Section(id: id, views: views, cells: cells, rest: rest)
    }

    mutating func cell(_ json: JSONValue) -> SnapshotTree.Cell? {
        guard members(json) != nil else { return nil }
        let id = member("id", of: json) { $0.text($1) }
        guard let content = view(json), let id else { return nil }
        return SnapshotTree.Cell(id: id, content: content)
    }

    mutating func views(of json: JSONValue) -> SnapshotTree.Views {
        let header = optional("header", of: json) { $0.view($1) }
        let footer = optional("footer", of: json) { $0.view($1) }
        let supplementary = optional("supplementary", of: json) { $0.elements(of: $1) { $0.supplementary($1) } }
        return SnapshotTree.Views(header: header, footer: footer, supplementary: supplementary ?? [])
    }

    private mutating func view(_ json: JSONValue) -> JSONValue? {
        guard let members = members(json) else { return nil }
        guard member("type", of: json, { $0.text($1) }) != nil else { return nil }
        guard let fallback = fallback(of: json) else { return nil }
        let said = members.filter { !(Self.optionalNames.contains($0.name) && $0.value == .null) }
        return .object(said.map { $0.name == "fallback" ? JSONValue.Member("fallback", fallback) : $0 })
    }

    /// What stands for a view where its type is not known: null for nothing, which is not the same as absent.
    ///
    /// - Returns: nil for what is neither null nor a view.
    private mutating func fallback(of json: JSONValue) -> JSONValue? {
        guard let fallback = json["fallback"], fallback != .null else { return .null }
        return at(.name("fallback")) { $0.view(fallback) }
    }

    private mutating func supplementary(_ json: JSONValue) -> JSONValue? {
        guard let members = members(json) else { return nil }
        _ = member("kind", of: json) { $0.text($1) }
        let view = member("view", of: json) { $0.view($1) }
        if json["cell"] == nil && json["item"] == nil { fault(.belongsNowhere) }
        if json["cell"] != nil { _ = member("cell", of: json) { $0.text($1) } }
        if json["item"] != nil { _ = member("item", of: json) { $0.place($1) } }
        guard let view else { return nil }
        return .object(members.map { $0.name == "view" ? JSONValue.Member("view", view) : $0 })
    }
}

// Ids.
extension DocumentReader {
    /// Looks through the document again for ids that occur twice: sections' in the screen, cells' across sections.
    private mutating func checkIDs(_ json: JSONValue?) {
        guard case .array(let sections) = json else { return }
        let places = JSONPointer(steps: ["sections"])
        var sectionIDs = FirstPlaces()
        var cellIDs = FirstPlaces()
        for (index, section) in sections.enumerated() {
            check(section, at: [index], &sectionIDs) { places.appending(.index($0[0]), "id") }
            guard case .array(let cells) = section["cells"] else { continue }
            for (item, cell) in cells.enumerated() {
                check(cell, at: [index, item], &cellIDs) { places.appending(.index($0[0]), "cells", .index($0[1]), "id") }
            }
        }
    }

    private typealias FirstPlaces = [ExactText: [Int]]

    private mutating func check(_ json: JSONValue, at place: [Int], _ ids: inout FirstPlaces, _ pointer: ([Int]) -> JSONPointer) {
        guard case .string(let id) = json["id"] else { return }
        if let first = ids[ExactText(id)] {
            add(DocumentFault(pointer: pointer(place), cause: .repeatedID(id, first: pointer(first))))
        } else {
            ids[ExactText(id)] = place
        }
    }
}
