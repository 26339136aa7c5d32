public import FoundationEssentials

/// Holds what a collection screen shows: sections with cells and supplementary views.
///
/// A screen of layout `collection` returns it; rendering turns it into a snapshot. Where there
/// are no headers, footers and other views, `Supplementary` is `Never`.
public struct CollectionViewModel<Supplementary, Cell>: SectionedModel {
    public typealias Section = CollectionViewSection<Supplementary, Cell>
    public typealias Element = Section

    public var sections: [Section]

    @inlinable
    public init(sections: [Section]) {
        self.sections = sections
    }

    /// Reaches the supplementary view of a kind at a place.
    ///
    /// Reading gives nil where there is no such section or view; writing needs the section.
    @inlinable
    public subscript(supplementaryView kind: String, at indexPath: IndexPath) -> Supplementary? {
        get {
            guard indices.contains(indexPath.section) else { return nil }
            return sections[indexPath.section][SupplementaryViewKey(kind: kind, item: indexPath.item)]
        }
        set {
            sections[indexPath.section][SupplementaryViewKey(kind: kind, item: indexPath.item)] = newValue
        }
    }
}

extension CollectionViewModel: Equatable where Supplementary: Equatable, Cell: Equatable {}
extension CollectionViewModel: Hashable where Supplementary: Hashable, Cell: Hashable {}
extension CollectionViewModel: Sendable where Supplementary: Sendable, Cell: Sendable {}
