/// The way from a correspondence to the stages of a changeset: pure bookkeeping over numbers.
///
/// At most five stages come out, in the protocol's order; see `Documentation/Differ.md`.
@usableFromInline
struct Staging {
    private let pairs: Correspondence
    private let places: SectionPlaces
    private let anchor: Int?

    /// - Parameter anchor: the cell of the source that stays in place rather than another, where that
    ///   costs no further move.
    @usableFromInline
    static func stages(for pairs: Correspondence, anchor: Int? = nil) -> [Stage] {
        let places = SectionPlaces(pairs, anchor: anchor.map(pairs.source.section))
        let staging = Staging(pairs: pairs, places: places, anchor: anchor)
        var stages: [Stage] = []
        stages.append(unlessEmpty: staging.updates())
        stages.append(unlessEmpty: staging.sectionInserts())
        stages.append(unlessEmpty: staging.cellChanges())
        stages.append(unlessEmpty: staging.sectionChanges())
        stages.append(unlessEmpty: staging.viewUpdates())
        return stages
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
        // Ascending, as new and staying sections are in the target's order.
        for (target, source) in pairs.sourceOfSection.enumerated() where source == Correspondence.none {
            let insert = SectionInsert(place: places.ofTarget[target], target: target, newItems: newItems(of: target))
            stage.insertSections.append(insert)
        }
        return stage
    }

    private func cellChanges() -> Stage {
        let sections = pairs.targetOfSection.indices
        let survivors = sections.map { self.survivors(of: $0) }
        var stage = Stage()
        // There may be as many as cells: the array shall not grow into twice what it needs.
        stage.moveCells.reserveCapacity(survivors.reduce(0) { $0 + $1.moveCount })
        for section in sections { changeCells(of: section, survivors[section], &stage) }
        return stage
    }

    private func sectionChanges() -> Stage {
        var stage = Stage()
        for (section, target) in pairs.targetOfSection.enumerated() {
            let place = places.ofSource[section]
            if target == Correspondence.none {
                stage.deleteSections.append(place)
            } else if !places.stays[section] {
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

    /// Moves the survivors that leave their section, and those that stay in it but not in their order. Of a
    /// section that survives, it deletes the cells that go and inserts those that come; one that goes
    /// takes its other cells along.
    private func changeCells(of section: Int, _ survivors: Survivors, _ stage: inout Stage) {
        let target = pairs.targetOfSection[section]
        let isGoing = target == Correspondence.none
        let cells = pairs.untrimmedCells(ofSource: section)
        var next = cells.lowerBound
        for (run, stays) in zip(survivors.runs, survivors.stays) {
            if !isGoing { delete(next..<run.cells.lowerBound, of: section, &stage) }
            if !stays { move(run, of: section, &stage) }
            next = run.cells.upperBound
        }
        guard !isGoing else { return }
        delete(next..<cells.upperBound, of: section, &stage)
        insertCells(into: Int(target), at: places.ofSource[section], &stage)
    }

    private func delete(_ cells: Range<Int>, of section: Int, _ stage: inout Stage) {
        guard !cells.isEmpty else { return }
        let place = CellPlace(section: places.ofSource[section], item: cells.lowerBound - pairs.source.offsets[section])
        stage.deleteCells.append(CellRun(place: place, count: cells.count))
    }

    private func move(_ run: PairedRun, of section: Int, _ stage: inout Stage) {
        let source = CellPlace(section: places.ofSource[section], item: Int(run.source) - pairs.source.offsets[section])
        let home = Int(run.targetSection)
        let destination = CellPlace(section: places.ofTarget[home], item: Int(run.target) - pairs.target.offsets[home])
        stage.moveCells.append(CellMove(source: source, destination: destination, count: Int(run.count)))
    }
}

/// The survivors among the cells of one section that are not trimmed, and which of them stay in place.
private struct Survivors {
    let runs: [PairedRun]
    let stays: [Bool]

    var moveCount: Int { stays.count { !$0 } }
}

extension Staging {
    private func survivors(of section: Int) -> Survivors {
        let target = pairs.targetOfSection[section]
        let home = target == Correspondence.none ? nil : Int(target)
        let runs = pairs.runs(of: pairs.untrimmedCells(ofSource: section), home: home)
        return Survivors(runs: runs, stays: home.map { staying(runs, in: $0) } ?? Array(repeating: false, count: runs.count))
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
}

extension [Stage] {
    fileprivate mutating func append(unlessEmpty stage: consuming Stage) {
        if !stage.isEmpty { append(stage) }
    }
}
