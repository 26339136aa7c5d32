public import FoundationEssentials

extension SectionedModel {
    /// Reaches the cell at a place; the place has to exist.
    @inlinable
    public subscript(indexPath: IndexPath) -> Section.Cell {
        get { sections[indexPath.section].cells[indexPath.item] }
        _modify { yield &sections[indexPath.section].cells[indexPath.item] }
    }

    /// Reaches the header of a section; the section has to exist.
    @inlinable
    public subscript(header section: Int) -> Section.HeaderFooter? {
        get { sections[section].header }
        _modify { yield &sections[section].header }
    }

    /// Reaches the footer of a section; the section has to exist.
    @inlinable
    public subscript(footer section: Int) -> Section.HeaderFooter? {
        get { sections[section].footer }
        _modify { yield &sections[section].footer }
    }

    /// Shows the header of each section, without copying them.
    public var headers: LazyMapCollection<[Section], Section.HeaderFooter?> {
        sections.lazy.map(\.header)
    }

    /// Shows the footer of each section, without copying them.
    public var footers: LazyMapCollection<[Section], Section.HeaderFooter?> {
        sections.lazy.map(\.footer)
    }
}
