import ScreenDiff

extension ChangesetTree {
    /// Reads a changeset document.
    ///
    /// - Throws: The faults of the document that can be found without a snapshot.
    public init(_ json: JSONValue) throws(DocumentFaults) {
        var reader = DocumentReader()
        let tree = reader.changeset(json)
        guard let tree, reader.faults.isEmpty else { throw DocumentFaults(faults: reader.faults) }
        self = tree
    }
}

extension DocumentReader {
    fileprivate mutating func changeset(_ json: JSONValue) -> ChangesetTree? {
        guard members(json) != nil else { return nil }
        guard isKind("changeset", json) else { return nil }
        let screen = member("screen", of: json) { $0.text($1) }
        let from = member("from", of: json) { $0.text($1) }
        let version = member("version", of: json) { $0.text($1) }
        let title = optional("title", of: json) { $0.text($1) }
        let stages = member("stages", of: json) { $0.stages($1) }
        guard let screen, let from, let version, let stages else { return nil }
        return ChangesetTree(screen: screen, from: from, version: version, title: title, stages: stages)
    }

    /// Reads the stages, and checks that their kinds are different and have the order of the protocol.
    private mutating func stages(_ json: JSONValue) -> [ChangesetTree.Stage]? {
        var last: StageKind?
        return elements(of: json) { reader, stage in
            guard let kind = reader.kind(of: stage) else { return nil }
            if let last, kind <= last { reader.fault(.stageOutOfOrder(kind.names, after: last.names)) }
            last = kind
            return reader.stage(stage)
        }
    }

    private mutating func kind(of stage: JSONValue) -> StageKind? {
        guard let names = members(stage)?.map(\.name) else { return nil }
        if names.isEmpty { fault(.isEmpty) }
        for name in names where StageKind(of: name) == nil { fault(at: .name(name), .unknownKey) }
        let kinds = Set(names.compactMap(StageKind.init(of:)))
        if kinds.count > 1 { fault(.mixedStage(names.filter { StageKind(of: $0) != nil })) }
        return kinds.count == 1 ? kinds.first : nil
    }

    private mutating func stage(_ json: JSONValue) -> ChangesetTree.Stage {
        var stage = ChangesetTree.Stage()
        for (place, cell) in operations("updateCells", of: json, { $0.cellUpdate($1) }) {
            stage.operations.updateCells.append(CellUpdate(place: place, target: place))
            stage.updatedCells.append(cell)
        }
        for (place, section) in operations("insertSections", of: json, { $0.sectionInsert($1) }) {
            let insert = SectionInsert(place: place, target: place, newItems: [0..<section.cells.count])
            stage.operations.insertSections.append(insert)
            stage.insertedSections.append(section)
        }
        stage.operations.deleteCells = operations("deleteCells", of: json) { $0.cellDelete($1) }
        for (place, cells) in operations("insertCells", of: json, { $0.cellInsert($1) }) {
            let run = CellRun(place: place, count: cells.count)
            stage.operations.insertCells.append(CellInsert(run: run, targetSection: place.section))
            stage.insertedCells.append(cells)
        }
        stage.operations.moveCells = operations("moveCells", of: json) { $0.cellMove($1) }
        stage.operations.deleteSections = operations("deleteSections", of: json) { $0.place($1) }
        stage.operations.moveSections = operations("moveSections", of: json) { $0.sectionMove($1) }
        for (place, views) in operations("updateSections", of: json, { $0.viewsUpdate($1) }) {
            stage.operations.updateSections.append(place)
            stage.updatedViews.append(views)
        }
        return stage
    }

    private mutating func operations<Operation>(
        _ name: String, of stage: JSONValue, _ read: (inout DocumentReader, JSONValue) -> Operation?
    ) -> [Operation] {
        guard let json = stage[name] else { return [] }
        return at(.name(name)) { reader in
            if json == .array([]) { reader.fault(.isEmpty) }
            return reader.elements(of: json, read) ?? []
        }
    }
}

/// The five kinds of stages, in the order of the protocol.
private enum StageKind: Int, CaseIterable, Comparable {
    case updateCells
    case insertSections
    case changeCells
    case changeSections
    case updateSections

    init?(of name: String) {
        guard let kind = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
        self = kind
    }

    var names: [String] {
        switch self {
        case .updateCells: ["updateCells"]
        case .insertSections: ["insertSections"]
        case .changeCells: ["deleteCells", "insertCells", "moveCells"]
        case .changeSections: ["deleteSections", "moveSections"]
        case .updateSections: ["updateSections"]
        }
    }

    static func < (a: StageKind, b: StageKind) -> Bool { a.rawValue < b.rawValue }
}
