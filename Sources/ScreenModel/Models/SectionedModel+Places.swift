#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Names that users of CollectionModel know, beside `model[indexPath]`.

extension SectionedModel {
    /// The cell at a place; the place has to exist.
    @inlinable
    public subscript(cellAt indexPath: IndexPath) -> Section.Cell {
        get { sections[indexPath[0]].cells[indexPath[1]] }
        _modify { yield &sections[indexPath[0]].cells[indexPath[1]] }
    }

    /// Returns the cell at a place; the place has to exist.
    @inlinable
    public func cellViewModel(at indexPath: IndexPath) -> Section.Cell {
        self[cellAt: indexPath]
    }

    /// Returns the number of cells in a section; the section has to exist.
    @inlinable
    public func numberOfItemsInSection(_ section: Int) -> Int {
        sections[section].cells.count
    }
}
