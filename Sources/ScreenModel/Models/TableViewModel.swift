/// The model of a table screen. `HeaderFooter` is the type of headers and footers, or `Never` if there are none.
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

/// A section of a table: its cells between a header and a footer.
public struct TableViewSection<HeaderFooter, Cell>: ModelSection {
    public typealias Element = Cell

    public var id: String
    public var header: HeaderFooter?
    public var footer: HeaderFooter?
    public var cells: [Cell]

    /// Creates an empty section with an empty id.
    @inlinable
    public init() {
        id = ""
        cells = []
    }
}

extension TableViewSection: Equatable where HeaderFooter: Equatable, Cell: Equatable {}
extension TableViewSection: Hashable where HeaderFooter: Hashable, Cell: Hashable {}
extension TableViewSection: Sendable where HeaderFooter: Sendable, Cell: Sendable {}
