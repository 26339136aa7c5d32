/// Turns a correspondence into the stages of a changeset: pure bookkeeping over numbers.
///
/// At most five stages come out, in the protocol's order; see `Documentation/Flow.md`.
struct Staging {
    private let pairs: Correspondence
    private let plan: SectionPlan
    private let anchor: Int?

    /// - Parameter anchor: the cell of the source that stays in place rather than another, where that
    ///   costs no further move.
    static func stages(for pairs: Correspondence, anchor: Int? = nil) -> [Stage] {
        let plan = SectionPlan(pairs, anchor: anchor.map(pairs.source.section))
        let staging = Staging(pairs: pairs, plan: plan, anchor: anchor)
        return [
            staging.updates(), staging.sectionInserts(), staging.cellChanges(), staging.sectionChanges(),
            staging.viewUpdates(),
        ].filter { !$0.isEmpty }
    }

    private func updates() -> Stage {
        var stage = Stage()
        stage.updateCells = pairs.changedCells.map {
            CellUpdate(place: pairs.source.place(of: $0.source), target: pairs.target.place(of: $0.target))
        }
        return stage
    }

    private func sectionInserts() -> Stage {
        var stage = Stage()
        for (place, origin) in plan.between.enumerated() {
            guard case .new(let target) = origin else { continue }
            let items = newItems(of: target)
            stage.insertSections.append(SectionInsert(place: place, target: target, newItems: items))
        }
        return stage
    }

    private func cellChanges() -> Stage {
        var stage = Stage()
        for (place, origin) in plan.between.enumerated() {
            switch origin {
            case .new: break
            case .source(let section) where pairs.targetOfSection[section] == Correspondence.none:
                moveOut(of: section, &stage)
            case .source(let section):
                let target = Int(pairs.targetOfSection[section])
                deleteCells(of: section, at: place, &stage)
                moveCells(of: section, staying: target, &stage)
                insertCells(into: target, at: place, &stage)
            }
        }
        return stage
    }

    private func sectionChanges() -> Stage {
        var stage = Stage()
        for (section, target) in pairs.targetOfSection.enumerated() {
            let place = plan.placeOfSource[section]
            if target == Correspondence.none {
                stage.deleteSections.append(place)
            } else if !plan.stays[section] {
                stage.moveSections.append(SectionMove(source: place, destination: Int(target)))
            }
        }
        return stage
    }

    private func viewUpdates() -> Stage {
        var stage = Stage()
        stage.updateSections = pairs.changedSections
        return stage
    }
}

// Cells of the third stage, section by section.
extension Staging {
    private func newItems(of target: Int) -> [Range<Int>] {
        let cells = pairs.target.cells(of: target)
        return runs(in: cells) { pairs.sourceOfCell[$0] == Correspondence.none }
            .map { $0.lowerBound - cells.lowerBound..<$0.upperBound - cells.lowerBound }
    }

    private func deleteCells(of section: Int, at place: Int, _ stage: inout Stage) {
        let start = pairs.source.offsets[section]
        let runs = runs(in: pairs.untrimmedCells(ofSource: section)) { pairs.targetOfCell[$0] == Correspondence.none }
        stage.deleteCells += runs.map { CellRun(place: CellPlace(section: place, item: $0.lowerBound - start), count: $0.count) }
    }

    private func insertCells(into target: Int, at place: Int, _ stage: inout Stage) {
        let start = pairs.target.offsets[target]
        let runs = runs(in: pairs.untrimmedCells(ofTarget: target)) { pairs.sourceOfCell[$0] == Correspondence.none }
        stage.insertCells += runs.map {
            let run = CellRun(place: CellPlace(section: place, item: $0.lowerBound - start), count: $0.count)
            return CellInsert(run: run, targetSection: target)
        }
    }

    /// Moves the survivors out of a section that goes. Its other cells go with it.
    private func moveOut(of section: Int, _ stage: inout Stage) {
        for cell in pairs.source.cells(of: section) where pairs.targetOfCell[cell] != Correspondence.none {
            move(cell, of: section, &stage)
        }
    }

    /// Moves the cells that leave the section, and those that stay in it but not in their order.
    private func moveCells(of section: Int, staying target: Int, _ stage: inout Stage) {
        let cells = pairs.untrimmedCells(ofSource: section)
        let home = pairs.target.cells(of: target)
        guard !isUnmoved(cells, home) else { return }
        var kept: Int?
        var remaining: [Int32] = []
        for cell in cells where home.contains(Int(pairs.targetOfCell[cell])) {
            if cell == anchor { kept = remaining.count }
            remaining.append(pairs.targetOfCell[cell])
        }
        let stays = longestIncreasingSubsequence(of: remaining, keeping: kept)
        var next = 0
        for cell in cells where pairs.targetOfCell[cell] != Correspondence.none {
            let isRemaining = home.contains(Int(pairs.targetOfCell[cell]))
            if !(isRemaining && stays[next]) { move(cell, of: section, &stage) }
            if isRemaining { next += 1 }
        }
    }

    /// Whether all survivors stay in their section and in their order, as in most sections of most lists.
    private func isUnmoved(_ cells: Range<Int>, _ home: Range<Int>) -> Bool {
        var last = home.lowerBound - 1
        for cell in cells where pairs.targetOfCell[cell] != Correspondence.none {
            let target = Int(pairs.targetOfCell[cell])
            guard target > last && target < home.upperBound else { return false }
            last = target
        }
        return true
    }

    /// Appends the move of one cell, to the run before it where both are neighbours on both sides.
    private func move(_ cell: Int, of section: Int, _ stage: inout Stage) {
        let source = CellPlace(section: plan.placeOfSource[section], item: cell - pairs.source.offsets[section])
        var destination = pairs.target.place(of: Int(pairs.targetOfCell[cell]))
        destination.section = plan.placeOfTarget[destination.section]
        if let last = stage.moveCells.last, last.continues(with: source, destination) {
            stage.moveCells[stage.moveCells.count - 1].count += 1
        } else {
            stage.moveCells.append(CellMove(source: source, destination: destination, count: 1))
        }
    }

    private func runs(in cells: Range<Int>, where isMember: (Int) -> Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for cell in cells {
            if isMember(cell) {
                start = start ?? cell
            } else if let first = start {
                runs.append(first..<cell)
                start = nil
            }
        }
        if let start { runs.append(start..<cells.upperBound) }
        return runs
    }
}

extension CellMove {
    fileprivate func continues(with source: CellPlace, _ destination: CellPlace) -> Bool {
        source.section == self.source.section && source.item == self.source.item + count
            && destination.section == self.destination.section && destination.item == self.destination.item + count
    }
}
