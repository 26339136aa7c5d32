/// Turns a correspondence into the stages of a changeset: pure bookkeeping over numbers.
///
/// At most five stages come out, in the protocol's order; see `Documentation/Flow.md`.
@usableFromInline
struct Staging {
    private let pairs: Correspondence
    private let plan: SectionPlan
    private let anchor: Int?

    /// - Parameter anchor: the cell of the source that stays in place rather than another, where that
    ///   costs no further move.
    @usableFromInline
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
                changeCells(of: section, at: place, staying: target, &stage)
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
        return pairs.newcomers(in: cells).map { $0.lowerBound - cells.lowerBound..<$0.upperBound - cells.lowerBound }
    }

    private func insertCells(into target: Int, at place: Int, _ stage: inout Stage) {
        let start = pairs.target.offsets[target]
        for run in pairs.newcomers(in: pairs.untrimmedCells(ofTarget: target)) {
            let run = CellRun(place: CellPlace(section: place, item: run.lowerBound - start), count: run.count)
            stage.insertCells.append(CellInsert(run: run, targetSection: target))
        }
    }

    /// Moves the survivors out of a section that goes. Its other cells go with it.
    private func moveOut(of section: Int, _ stage: inout Stage) {
        for run in pairs.runs(of: pairs.source.cells(of: section), home: nil) { move(run, of: section, &stage) }
    }

    /// Deletes the cells that go, moves those that leave the section and those that stay in it but not
    /// in their order.
    private func changeCells(of section: Int, at place: Int, staying target: Int, _ stage: inout Stage) {
        let cells = pairs.untrimmedCells(ofSource: section)
        let runs = pairs.runs(of: cells, home: target)
        let start = pairs.source.offsets[section]
        var next = cells.lowerBound
        func delete(until end: Int) {
            guard next < end else { return }
            stage.deleteCells.append(CellRun(place: CellPlace(section: place, item: next - start), count: end - next))
        }
        for (run, stays) in zip(runs, staying(runs, in: target)) {
            delete(until: run.cells.lowerBound)
            if !stays { move(run, of: section, &stage) }
            next = run.cells.upperBound
        }
        delete(until: cells.upperBound)
    }

    /// Which runs of a section stay in place: as many cells as can of those that remain in it.
    private func staying(_ runs: [PairedRun], in home: Int) -> [Bool] {
        let remaining = runs.filter { $0.targetSection == home }
        let kept = anchor.flatMap { anchor in remaining.firstIndex { $0.cells.contains(anchor) } }
        let longest = longestIncreasingSubsequence(of: remaining, keeping: kept)
        if remaining.count == runs.count { return longest }
        var isMember = longest.makeIterator()
        return runs.map { $0.targetSection == home && isMember.next() == true }
    }

    private func move(_ run: PairedRun, of section: Int, _ stage: inout Stage) {
        let source = CellPlace(section: plan.placeOfSource[section], item: Int(run.source) - pairs.source.offsets[section])
        let home = Int(run.targetSection)
        let destination = CellPlace(section: plan.placeOfTarget[home], item: Int(run.target) - pairs.target.offsets[home])
        stage.moveCells.append(CellMove(source: source, destination: destination, count: Int(run.count)))
    }
}
