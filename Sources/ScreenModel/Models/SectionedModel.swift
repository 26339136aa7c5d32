#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The model of a table or a collection screen. A model is a collection of its sections.
public protocol SectionedModel<Section>: ArrayBacked where Element == Section {
    /// The type of sections.
    associatedtype Section: ModelSection

    /// The sections in the order in which they are shown.
    var sections: [Section] { get set }

    /// Creates a model with the given sections.
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

    /// Creates a model with one section.
    @inlinable
    public init(section: Section) {
        self.init(sections: [section])
    }

    /// Creates a model with one section, which has an empty id and no header or footer.
    @inlinable
    public init(cells: [Section.Cell]) {
        self.init(section: Section(cells: cells))
    }

    /// Creates a model with the sections of a result builder.
    @inlinable
    public init(@ListBuilder<Section> sections: () throws -> [Section]) rethrows {
        self.init(sections: try sections())
    }

    /// Creates a model from entities. A result builder creates the sections of each entity.
    @inlinable
    public init<Entity>(
        entities: some Sequence<Entity>,
        @ListBuilder<Section> sections: (Entity) throws -> [Section]
    ) rethrows {
        self.init(sections: try ListBuilder.list(over: entities, sections))
    }
}

extension SectionedModel {
    /// The cell at an index path, which must exist.
    @inlinable
    public subscript(indexPath: IndexPath) -> Section.Cell {
        get { sections[indexPath[0]].cells[indexPath[1]] }
        _modify { yield &sections[indexPath[0]].cells[indexPath[1]] }
    }

    /// The header of a section, or `nil` if the section has no header. The section must exist.
    @inlinable
    public subscript(header section: Int) -> Section.HeaderFooter? {
        get { sections[section].header }
        _modify { yield &sections[section].header }
    }

    /// The footer of a section, or `nil` if the section has no footer. The section must exist.
    @inlinable
    public subscript(footer section: Int) -> Section.HeaderFooter? {
        get { sections[section].footer }
        _modify { yield &sections[section].footer }
    }

    /// A lazy collection of the headers of all sections. An element is `nil` if its section has no header.
    public var headers: LazyMapCollection<[Section], Section.HeaderFooter?> {
        sections.lazy.map(\.header)
    }

    /// A lazy collection of the footers of all sections. An element is `nil` if its section has no footer.
    public var footers: LazyMapCollection<[Section], Section.HeaderFooter?> {
        sections.lazy.map(\.footer)
    }
}

// UIKit and AppKit declare the same members, so this extension is only for other platforms. The library does not use these members, because
// it would have to import UIKit or AppKit.
#if !canImport(UIKit) && !canImport(AppKit)
extension IndexPath {
    /// Creates the index path of an item in a section.
    @inlinable
    public init(item: Int, section: Int) {
        self = [section, item]
    }

    /// The index of the section.
    @inlinable public var section: Int { self[0] }

    /// The index of the item in its section.
    @inlinable public var item: Int { self[1] }
}
#endif
