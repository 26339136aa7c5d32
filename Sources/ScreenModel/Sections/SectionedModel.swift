/// Lists the sections of a screen.
///
/// Table and collection models share through it what both have: they are collections of their
/// sections, are built in the same ways, and give access to cells, headers and footers by place.
/// A model is what a screen returns; rendering turns it into a snapshot.
public protocol SectionedModel<Section>: ArrayBacked where Element == Section {
    associatedtype Section: ModelSection

    /// Holds the sections in the order in which they are shown.
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
