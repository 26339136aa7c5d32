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
        var items: [Range<Int>] = []
        for cell in cells where pairs.sourceOfCell[cell] == Correspondence.none {
            let item = cell - cells.lowerBound
            if let last = items.last, last.upperBound == item {
                items[items.count - 1] = last.lowerBound..<item + 1
            } else {
                items.append(item..<item + 1)
            }
        }
        return items
    }

    private func insertCells(into target: Int, at place: Int, _ stage: inout Stage) {
        let cells = pairs.untrimmedCells(ofTarget: target)
        let start = pairs.target.offsets[target]
        for (cell, counterpart) in zip(cells, pairs.sourceOfCell[cells]) where counterpart == Correspondence.none {
            stage.insert(CellPlace(section: place, item: cell - start), of: target)
        }
    }

    /// Moves the survivors out of a section that goes. Its other cells go with it.
    private func moveOut(of section: Int, _ stage: inout Stage) {
        for cell in pairs.source.cells(of: section) where pairs.targetOfCell[cell] != Correspondence.none {
            move(cell, of: section, &stage)
        }
    }

    /// Deletes the cells that go, moves those that leave the section and those that stay in it but not
    /// in their order.
    private func changeCells(of section: Int, at place: Int, staying target: Int, _ stage: inout Stage) {
        let cells = pairs.untrimmedCells(ofSource: section)
        let home = pairs.target.cells(of: target)
        let stays = isUnmoved(cells, home) ? nil : staying(cells, home)
        let start = pairs.source.offsets[section]
        var next = 0
        for (cell, counterpart) in zip(cells, pairs.targetOfCell[cells]) {
            if counterpart == Correspondence.none {
                stage.delete(CellPlace(section: place, item: cell - start))
            } else if home.contains(Int(counterpart)) {
                if let stays, !stays[next] { move(cell, of: section, &stage) }
                next += 1
            } else {
                move(cell, of: section, &stage)
            }
        }
    }

    /// Which of the cells that remain in their section stay in place.
    private func staying(_ cells: Range<Int>, _ home: Range<Int>) -> [Bool] {
        var kept: Int?
        var remaining: [Int32] = []
        remaining.reserveCapacity(cells.count)
        for (cell, counterpart) in zip(cells, pairs.targetOfCell[cells]) where home.contains(Int(counterpart)) {
            if cell == anchor { kept = remaining.count }
            remaining.append(counterpart)
        }
        return longestIncreasingSubsequence(of: remaining, keeping: kept)
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

    private func move(_ cell: Int, of section: Int, _ stage: inout Stage) {
        let source = CellPlace(section: plan.placeOfSource[section], item: cell - pairs.source.offsets[section])
        var destination = pairs.target.place(of: Int(pairs.targetOfCell[cell]))
        destination.section = plan.placeOfTarget[destination.section]
        stage.move(from: source, to: destination)
    }
}
