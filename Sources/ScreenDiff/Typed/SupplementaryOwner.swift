import ScreenModel

/// What a supplementary view belongs to: a cell, so that it travels with it, or its place where there is none.
enum SupplementaryOwner<ID: Hashable>: Hashable {
    /// `number` tells cells of one identifier apart, by their order in the section.
    case cell(ID, number: Int)
    case place(Int)
}

/// A supplementary view's kind and owner.
struct OwnedView<ID: Hashable>: Hashable {
    let kind: String
    let owner: SupplementaryOwner<ID>
}

extension CollectionViewSection where Cell: Differentiable {
    typealias Owner = SupplementaryOwner<Cell.DifferenceIdentifier>
    typealias Owned = OwnedView<Cell.DifferenceIdentifier>

    private var owners: [Owner] {
        var counts: [Cell.DifferenceIdentifier: Int] = [:]
        return cells.map { cell in
            let id = cell.differenceIdentifier
            defer { counts[id, default: 0] += 1 }
            return .cell(id, number: counts[id, default: 0])
        }
    }

    var viewsByOwner: [Owned: Supplementary] {
        if supplementaryViews.isEmpty { return [:] }
        let owners = owners
        return Dictionary(uniqueKeysWithValues: supplementaryViews.map { key, view in
            let owner = owners.indices.contains(key.item) ? owners[key.item] : .place(key.item)
            return (Owned(kind: key.kind, owner: owner), view)
        })
    }

    mutating func put(_ views: [Owned: Supplementary]) {
        let items = Dictionary(uniqueKeysWithValues: zip(owners, cells.indices))
        supplementaryViews = [:]
        // A cell's view takes the place of one that no cell had, so those go first.
        for (owned, view) in views {
            guard case .place(let item) = owned.owner else { continue }
            supplementaryViews[SupplementaryViewSectionKey(kind: owned.kind, item: item)] = view
        }
        for (owned, view) in views {
            guard let item = items[owned.owner] else { continue }
            supplementaryViews[SupplementaryViewSectionKey(kind: owned.kind, item: item)] = view
        }
    }
}
