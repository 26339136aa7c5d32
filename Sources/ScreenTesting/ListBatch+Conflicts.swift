import ScreenDiff

// Operations that cannot be in one batch.
extension ListBatch.Edits {
    /// Returns the first fault of these operations that a list view reports.
    func fault(with counts: CellCounts) -> ListViewFault? {
        missingPlace(counts) ?? doubledDelete ?? deleteAndReload ?? deleteAndMove ?? doubledMove ?? insertAndMove ?? doubledTarget
    }

    /// The first fault of these operations that UIKit does not report, because the broken rule is stricter than UIKit.
    var stricterFault: ListViewFault? { doubledInsert ?? updateInPlaceAndOther }

    private func missingPlace(_ counts: CellCounts) -> ListViewFault? {
        (deletes + reloads + reconfigures).lazy.compactMap(counts.missingSource).first
            ?? inserts.lazy.compactMap(counts.missingTarget).first
            ?? moves.lazy.compactMap(counts.missingEnd).first
    }

    private var doubledDelete: ListViewFault? {
        guard let place = repeated(deletes) ?? repeated(reloads) else { return nil }
        return ListViewFault(.deletedOnce, "attempt to delete the same \(place.noun) twice (\(place.label))")
    }

    private var deleteAndReload: ListViewFault? {
        guard let place = shared(deletes, reloads) else { return nil }
        return ListViewFault(.deleteOrReload, "attempt to delete and reload the same \(place.noun) (\(place.label))")
    }

    private var deleteAndMove: ListViewFault? {
        guard let place = shared(deletes + reloads, moves.map(\.source)) else { return nil }
        return ListViewFault(.deleteOrMove, "attempt to perform a delete and a move from the same \(place.noun) (\(place.label))")
    }

    private var doubledMove: ListViewFault? {
        guard let (first, second) = twoMoves({ $0.source }) else { return nil }
        let targets = "both \(first.target.name) and \(second.target.name)"
        return ListViewFault(.movedOnce, "attempt to move \(first.source.longName) to \(targets)")
    }

    private var insertAndMove: ListViewFault? {
        guard let place = shared(inserts + reloadTargets, moves.map(\.target)) else { return nil }
        return ListViewFault(.insertOrMove, "attempt to perform an insert and a move to the same \(place.noun) (\(place.label))")
    }

    private var doubledTarget: ListViewFault? {
        guard let (first, second) = twoMoves({ $0.target }) else { return nil }
        let sources = "both \(first.source.longName) and \(second.source.name)"
        return ListViewFault(.oneTarget, "attempt to move \(sources) to \(first.target.name)")
    }

    private var doubledInsert: ListViewFault? {
        guard let place = repeated(inserts) else { return nil }
        return ListViewFault(.insertedOnce, "attempt to insert twice to the same \(place.noun) (\(place.label))")
    }

    private var updateInPlaceAndOther: ListViewFault? {
        guard let place = shared(reconfigures, deletes + reloads + moves.map(\.source)) else { return nil }
        return ListViewFault(.updatedApart, "attempt to update and to delete, reload or move the same \(place.noun) (\(place.label))")
    }

    /// The places at which UIKit inserts reloaded elements. UIKit computes them from the deletes and inserts of the batch, not from its
    /// moves.
    private var reloadTargets: [CellPlace] {
        if reloads.isEmpty || moves.isEmpty { return [] }
        return reloads.map { place in
            func index(of other: CellPlace) -> Int? {
                if place.isSection { return other.section }
                return other.section == place.section ? other.item : nil
            }
            let own = place.isSection ? place.section : place.item
            var target = own - deletes.count { index(of: $0).map { $0 < own } ?? false }
            for other in inserts.compactMap(index).sorted() where other <= target { target += 1 }
            return place.isSection ? CellPlace(ofSection: target) : CellPlace(section: place.section, item: target)
        }
    }

    private func repeated(_ places: [CellPlace]) -> CellPlace? {
        var known: Set<CellPlace> = []
        return places.first { !known.insert($0).inserted }
    }

    private func shared(_ places: [CellPlace], _ others: [CellPlace]) -> CellPlace? {
        if places.isEmpty || others.isEmpty { return nil }
        let others = Set(others)
        return places.first(where: others.contains)
    }

    /// Returns two moves for which `end` returns the same place, or `nil` if there are none.
    private func twoMoves(_ end: (ListBatch.Move) -> CellPlace) -> (ListBatch.Move, ListBatch.Move)? {
        var known: [CellPlace: ListBatch.Move] = [:]
        for move in moves {
            if let first = known.updateValue(move, forKey: end(move)) { return (first, move) }
        }
        return nil
    }
}

extension CellPlace {
    fileprivate var noun: String { isSection ? "section" : "index path" }
    fileprivate var name: String { isSection ? "section \(section)" : label }
    fileprivate var longName: String { isSection ? name : "item at index path \(label)" }
}
