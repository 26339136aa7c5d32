#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The place of a supplementary view in its model.
public struct SupplementaryViewKey: Hashable, Sendable {
    /// The section and the item in it.
    public var indexPath: IndexPath

    /// What tells views of one item apart, such as `badge`.
    public var kind: String

    @inlinable
    public init(indexPath: IndexPath, kind: String) {
        self.indexPath = indexPath
        self.kind = kind
    }

    /// The same place in its section; the index path has to name an item.
    @inlinable public var sectionKey: SupplementaryViewSectionKey {
        SupplementaryViewSectionKey(kind: kind, item: indexPath[1])
    }
}

/// The place of a supplementary view in its section.
///
/// Keys are ordered by item, then by the UTF-8 of the kind, so that rendering is deterministic.
public struct SupplementaryViewSectionKey: Hashable, Sendable {
    /// What tells views of one item apart, such as `badge`.
    public var kind: String

    /// The number of cells before the one that the view belongs to.
    public var item: Int

    @inlinable
    public init(kind: String, item: Int) {
        self.kind = kind
        self.item = item
    }
}

extension SupplementaryViewSectionKey: Comparable {
    public static func < (a: Self, b: Self) -> Bool {
        a.item == b.item ? a.kind.utf8.lexicographicallyPrecedes(b.kind.utf8) : a.item < b.item
    }
}

// Names that users of CollectionModel know.

extension SupplementaryViewSectionKey {
    /// Creates the place of a view of a row, which is an item.
    @inlinable
    public init(row: Int, kind: String) {
        self.init(kind: kind, item: row)
    }

    /// The number of cells before the one that the view belongs to: `item`.
    @inlinable public var row: Int { item }
}

extension CollectionViewModel {
    /// A supplementary view.
    ///
    /// Reading gives nil where there is no such section or view, and for an index path that names no item; writing
    /// needs the section.
    @inlinable
    public subscript(supplementaryViewFor key: SupplementaryViewKey) -> Supplementary? {
        get {
            guard key.indexPath.count == 2, indices.contains(key.indexPath[0]) else { return nil }
            return sections[key.indexPath[0]][key.sectionKey]
        }
        set { sections[key.indexPath[0]][key.sectionKey] = newValue }
    }

    /// Returns a supplementary view; nil where there is none.
    @inlinable
    public func supplementaryViewModel(for key: SupplementaryViewKey) -> Supplementary? {
        self[supplementaryViewFor: key]
    }

    /// Returns the header or the footer of a section; nil for a view of another kind, and where there is none.
    ///
    /// - Parameter kind: as in UIKit and AppKit, whose constants both end in the same words.
    public func headerOrFooterViewModel(forKind kind: String, inSection section: Int) -> Supplementary? {
        guard indices.contains(section) else { return nil }
        if kind.hasSuffix("ElementKindSectionHeader") { return self[header: section] }
        return kind.hasSuffix("ElementKindSectionFooter") ? self[footer: section] : nil
    }
}
