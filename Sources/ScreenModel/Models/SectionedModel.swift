#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The sections of a screen.
///
/// What table and collection models have in common: they are collections of their sections, are
/// built in the same ways, and give access to cells, headers and footers by place.
/// A model is what a screen returns; rendering turns it into a snapshot.
public protocol SectionedModel<Section>: ArrayBacked where Element == Section {
    associatedtype Section: ModelSection

    /// The sections in the order in which they are shown.
    var sections: [Section] { get set }

    /// Creates a model of sections that are there already.
    init(sections: [Section])
}

extension SectionedModel {
    @inlinable public var elements: [Section] {
        get { sections }
        _modify { yield &sections }
    }

    /// Creates a model without sections.
    @inlinable
    public init() {
        self.init(sections: [])
    }

    /// Creates a model of one section.
    @inlinable
    public init(section: Section) {
        self.init(sections: [section])
    }

    /// Creates a model of one section without id, header and footer.
    @inlinable
    public init(cells: [Section.Cell]) {
        self.init(section: Section(cells: cells))
    }

    /// Creates a model of the sections that a builder lists.
    @inlinable
    public init(@ListBuilder<Section> sections: () throws -> [Section]) rethrows {
        self.init(sections: try sections())
    }

    /// Creates a model of the sections that a builder lists for each entity, in their order.
    @inlinable
    public init<Entity>(
        entities: some Sequence<Entity>,
        @ListBuilder<Section> sections: (Entity) throws -> [Section]
    ) rethrows {
        self.init(sections: try ListBuilder.list(over: entities, sections))
    }
}

extension SectionedModel {
    /// The cell at a place; the place has to exist.
    @inlinable
    public subscript(indexPath: IndexPath) -> Section.Cell {
        get { sections[indexPath[0]].cells[indexPath[1]] }
        _modify { yield &sections[indexPath[0]].cells[indexPath[1]] }
    }

    /// The header of a section; the section has to exist.
    @inlinable
    public subscript(header section: Int) -> Section.HeaderFooter? {
        get { sections[section].header }
        _modify { yield &sections[section].header }
    }

    /// The footer of a section; the section has to exist.
    @inlinable
    public subscript(footer section: Int) -> Section.HeaderFooter? {
        get { sections[section].footer }
        _modify { yield &sections[section].footer }
    }

    /// The header of each section, not copied.
    public var headers: LazyMapCollection<[Section], Section.HeaderFooter?> {
        sections.lazy.map(\.header)
    }

    /// The footer of each section, not copied.
    public var footers: LazyMapCollection<[Section], Section.HeaderFooter?> {
        sections.lazy.map(\.footer)
    }
}

// UIKit and AppKit bring these, but FoundationEssentials has neither. Nothing here uses them: it would have to
// import one of the two.
#if !canImport(UIKit) && !canImport(AppKit)
extension IndexPath {
    /// Creates the place of an item in a section.
    @inlinable
    public init(item: Int, section: Int) {
        self = [section, item]
    }

    /// The number of sections before the place.
    @inlinable public var section: Int { self[0] }

    /// The number of items of the section before the place.
    @inlinable public var item: Int { self[1] }
}
#endif
