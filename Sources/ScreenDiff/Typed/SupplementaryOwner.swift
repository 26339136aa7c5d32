import ScreenModel

/// The owner of a supplementary view. If the section has a cell at the index of the view, this cell is the owner, and the view
/// moves together with the cell. Otherwise the index is the owner.
enum SupplementaryOwner<ID: Hashable>: Hashable {
    /// A cell, by its identifier. If several cells in the section have the same identifier, `number` is the index of the cell
    /// among these cells.
    case cell(ID, number: Int)
    case place(Int)
}

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
        return Dictionary(
            uniqueKeysWithValues: supplementaryViews.map { key, view in
                let owner = owners.indices.contains(key.item) ? owners[key.item] : .place(key.item)
                return (Owned(kind: key.kind, owner: owner), view)
            })
    }

    mutating func put(_ views: [Owned: Supplementary]) {
        let items = Dictionary(uniqueKeysWithValues: zip(owners, cells.indices))
        supplementaryViews = [:]
        // Views whose owner is an index are added first. A view whose owner is a cell then replaces a view at the same index.
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
