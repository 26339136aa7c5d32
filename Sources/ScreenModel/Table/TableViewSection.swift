/// Holds one section of a table: its cells between a header and a footer.
///
/// A `TableViewModel` is a list of them.
public struct TableViewSection<HeaderFooter, Cell>: ModelSection {
    public typealias Element = Cell

    public var id: String
    public var header: HeaderFooter?
    public var footer: HeaderFooter?
    public var cells: [Cell]

    /// Creates an empty section without id.
    @inlinable
    public init() {
        id = ""
        cells = []
    }
}

extension TableViewSection: Equatable where HeaderFooter: Equatable, Cell: Equatable {}
extension TableViewSection: Hashable where HeaderFooter: Hashable, Cell: Hashable {}
extension TableViewSection: Sendable where HeaderFooter: Sendable, Cell: Sendable {}
