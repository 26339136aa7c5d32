/// Holds what a table screen shows: sections with headers, footers and cells.
///
/// A screen of layout `table` returns it; rendering turns it into a snapshot. Where there are no
/// headers and footers, `HeaderFooter` is `Never`.
public struct TableViewModel<HeaderFooter, Cell>: SectionedModel {
    public typealias Section = TableViewSection<HeaderFooter, Cell>
    public typealias Element = Section

    public var sections: [Section]

    @inlinable
    public init(sections: [Section]) {
        self.sections = sections
    }
}

extension TableViewModel: Equatable where HeaderFooter: Equatable, Cell: Equatable {}
extension TableViewModel: Hashable where HeaderFooter: Hashable, Cell: Hashable {}
extension TableViewModel: Sendable where HeaderFooter: Sendable, Cell: Sendable {}
