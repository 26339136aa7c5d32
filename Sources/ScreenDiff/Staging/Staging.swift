/// The computation of the stages of a changeset from the pairs of sections and cells of two lists.
///
/// A changeset has at most five stages, in the order that the Relist protocol defines. The `README.md` of this target describes the
/// stages.
@usableFromInline
struct Staging {
    private let pairs: Correspondence
    private let places: SectionPlaces
    private let anchor: Int?

    /// Returns the stages of the changeset. The cell `anchor` of the source stays in place if this needs no additional move.
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
        // The inserts are in ascending order, because the new sections have the same order as in the target.
        for (target, source) in pairs.sourceOfSection.enumerated() where source == Correspondence.none {
            let insert = SectionInsert(place: places.ofTarget[target], target: target, newItems: newItems(of: target))
            stage.insertSections.append(insert)
        }
        return stage
    }

    private func cellChanges() -> Stage {
        let survivors = survivors()
        var stage = Stage()
        // Memory is reserved, because there can be as many moves as cells, and growing the array would need twice the memory.
        stage.moveCells.reserveCapacity(survivors.stays.count { !$0 })
        stage.deleteCells.reserveCapacity(pairs.targetOfSection.indices.reduce(0) { $0 + deleteCount(of: $1, survivors) })
        stage.insertCells.reserveCapacity(pairs.targetOfSection.reduce(0) { $0 + insertCount(into: $1) })
        for section in pairs.targetOfSection.indices { changeCells(of: section, survivors, &stage) }
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

extension Staging {
    private func newItems(of target: Int) -> [Range<Int>] {
        let cells = pairs.target.cells(of: target)
        var items: [Range<Int>] = []
        pairs.sourceOfCell.forEachRunWithoutCounterpart(in: cells) { run in
            items.append(run.lowerBound - cells.lowerBound..<run.upperBound - cells.lowerBound)
        }
        return items
    }

    private func insertCells(into target: Int, at place: Int, _ stage: inout Stage) {
        let start = pairs.target.offsets[target]
        pairs.sourceOfCell.forEachRunWithoutCounterpart(in: pairs.untrimmedCells(ofTarget: target)) { run in
            let run = CellRun(place: CellPlace(section: place, item: run.lowerBound - start), count: run.count)
            stage.insertCells.append(CellInsert(run: run, targetSection: target))
        }
    }

    /// Adds the operations on the cells of one section of the source to the third stage.
    ///
    /// The remaining cells of a deleted section are not deleted separately, because the fourth stage deletes the section with its cells.
    private func changeCells(of section: Int, _ survivors: Survivors, _ stage: inout Stage) {
        let target = pairs.targetOfSection[section]
        let isGoing = target == Correspondence.none
        let cells = pairs.untrimmedCells(ofSource: section)
        var next = cells.lowerBound
        for index in survivors.starts[section]..<survivors.starts[section + 1] {
            let run = survivors.runs[index]
            if !isGoing { delete(next..<run.cells.lowerBound, of: section, &stage) }
            if !survivors.stays[index] { move(run, of: section, &stage) }
            next = run.cells.upperBound
        }
        guard !isGoing else { return }
        delete(next..<cells.upperBound, of: section, &stage)
        insertCells(into: Int(target), at: places.ofSource[section], &stage)
    }

    private func deleteCount(of section: Int, _ survivors: Survivors) -> Int {
        guard pairs.targetOfSection[section] != Correspondence.none else { return 0 }
        let cells = pairs.untrimmedCells(ofSource: section)
        var next = cells.lowerBound
        var count = 0
        for index in survivors.starts[section]..<survivors.starts[section + 1] {
            count += survivors.runs[index].cells.lowerBound > next ? 1 : 0
            next = survivors.runs[index].cells.upperBound
        }
        return next < cells.upperBound ? count + 1 : count
    }

    private func insertCount(into target: Int32) -> Int {
        guard target != Correspondence.none else { return 0 }
        return pairs.sourceOfCell.countRunsWithoutCounterpart(in: pairs.untrimmedCells(ofTarget: Int(target)))
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

/// The runs of surviving cells that are not trimmed. A Boolean value for each run indicates whether the run stays in place.
private struct Survivors {
    var runs: ContiguousArray<PairedRun> = []
    var stays: [Bool] = []
    /// The index in `runs` of the first run of each section, followed by the number of all runs.
    var starts = [0]
}

extension Staging {
    private func survivors() -> Survivors {
        var survivors = Survivors()
        survivors.starts.reserveCapacity(pairs.targetOfSection.count + 1)
        survivors.runs.reserveCapacity(pairs.targetOfSection.indices.reduce(0) { $0 + pairs.untrimmedCells(ofSource: $1).count })
        for (section, target) in pairs.targetOfSection.enumerated() {
            let home = target == Correspondence.none ? nil : Int(target)
            let start = survivors.runs.count
            pairs.append(runsOf: pairs.untrimmedCells(ofSource: section), home: home, to: &survivors.runs)
            survivors.stays += staying(survivors.runs.span.extracting(droppingFirst: start), in: target)
            survivors.starts.append(survivors.runs.count)
        }
        return survivors
    }

    private func staying(_ runs: Span<PairedRun>, in home: Int32) -> [Bool] {
        let kept = anchor.flatMap { anchor in
            runs.indices.first { runs[$0].targetSection == home && runs[$0].cells.contains(anchor) }
        }
        return longestIncreasingSubsequence(of: runs, in: home, keeping: kept)
    }
}

extension [Stage] {
    fileprivate mutating func append(unlessEmpty stage: consuming Stage) {
        if !stage.isEmpty { append(stage) }
    }
}
