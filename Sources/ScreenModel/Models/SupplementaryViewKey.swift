#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The place of a supplementary view in a model.
public struct SupplementaryViewKey: Hashable, Sendable {
    /// The index path of the item that the view belongs to.
    public var indexPath: IndexPath

    /// The kind of the view, such as `badge`. An item has at most one view of each kind.
    public var kind: String

    @inlinable
    public init(indexPath: IndexPath, kind: String) {
        self.indexPath = indexPath
        self.kind = kind
    }

    /// The place of the view in its section. The index path must have an item.
    @inlinable public var sectionKey: SupplementaryViewSectionKey {
        SupplementaryViewSectionKey(kind: kind, item: indexPath[1])
    }
}

/// The place of a supplementary view in a section. Keys are ordered by item and by the UTF-8 of the kind, so that rendering is
/// deterministic.
public struct SupplementaryViewSectionKey: Hashable, Sendable {
    /// The kind of the view, such as `badge`. An item has at most one view of each kind.
    public var kind: String

    /// The index of the item that the view belongs to.
    public var item: Int

    @inlinable
    public init(kind: String, item: Int) {
        self.kind = kind
        self.item = item
    }
}

/// The cell that a supplementary view belongs to.
public struct SupplementaryViewCellKey: Hashable, Sendable {
    /// The kind of the view, such as `badge`. A cell has at most one view of each kind.
    public var kind: String

    /// The id of the cell.
    public var cell: String

    @inlinable
    public init(kind: String, cell: String) {
        self.kind = kind
        self.cell = cell
    }
}

extension SupplementaryViewSectionKey: Comparable {
    public static func < (a: Self, b: Self) -> Bool {
        a.item == b.item ? a.kind.utf8.lexicographicallyPrecedes(b.kind.utf8) : a.item < b.item
    }
}
