package import ScreenModel

/// The updates of a stage that do not replace a view, because the type of the view is the same before and after the stage.
@usableFromInline
package struct UpdatesInPlace: Hashable, Sendable {
    /// The places of cells whose views are not replaced. Each place is an index in the list before the stage.
    package var cells: Set<CellPlace> = []
    /// The indices of sections whose headers, footers and supplementary views are not replaced.
    package var sections: Set<Int> = []

    @usableFromInline
    package init() {}
}

/// A section that states the types of its header, footer and supplementary views.
package protocol ViewTyping {
    /// The reuse identifiers of the views.
    var viewTypes: [ViewPlace: String] { get }
}

/// The place of a view in a section.
package enum ViewPlace: Hashable, Sendable {
    case header, footer
    case supplementary(SupplementaryViewSectionKey)
}

extension UpdatesInPlace {
    /// Finds the updates of a stage that can be performed without replacing a view. The stage belongs to a changeset between two lists of
    /// sections. Only updated elements and the views of updated sections are read.
    ///
    /// - Parameter previous: a function that returns the section at an index in the list before the stage. If the stage is the first, the
    ///   function returns nil.
    @usableFromInline
    init<Section: DifferentiableSection>(
        in stage: Stage, from source: SectionedList<Section, Section.Collection.Element>,
        to target: SectionedList<Section, Section.Collection.Element>, previous: (Int) -> Section?
    ) {
        if Section.Collection.Element.self is any ReuseIdentifying.Type {
            for update in stage.updateCells {
                if Self.haveSameType(source.cell(at: update.place), target.cell(at: update.target)) { cells.insert(update.place) }
            }
        }
        if Section.self is any ViewTyping.Type {
            for place in stage.updateSections {
                let old = (previous(place) ?? source.sections.element(at: place)) as? any ViewTyping
                let new = target.sections.element(at: place) as? any ViewTyping
                if let old, let new, old.viewTypes == new.viewTypes { sections.insert(place) }
            }
        }
    }

    /// Finds the updates of a stage that can be performed without replacing a view. The stage belongs to a changeset between two lists
    /// without sections. Only updated elements are read.
    @usableFromInline
    init<Element>(in stage: Stage, from source: [Element], to target: [Element]) {
        guard Element.self is any ReuseIdentifying.Type else { return }
        for update in stage.updateCells {
            let (old, new) = (source.element(at: update.place.item), target.element(at: update.target.item))
            if Self.haveSameType(old, new) { cells.insert(update.place) }
        }
    }

    private static func haveSameType<Element>(_ old: Element?, _ new: Element?) -> Bool {
        guard let old = old as? any ReuseIdentifying, let new = new as? any ReuseIdentifying else { return false }
        return old.reuseIdentifier == new.reuseIdentifier
    }
}

extension SectionedList {
    fileprivate func cell(at place: CellPlace) -> Cell? {
        cells.element(at: place.section)?.element(at: place.item)
    }
}

extension TableViewSection: ViewTyping where HeaderFooter: ReuseIdentifying {
    package var viewTypes: [ViewPlace: String] { viewTypes(header, footer) }
}

extension CollectionViewSection: ViewTyping where Supplementary: ReuseIdentifying {
    package var viewTypes: [ViewPlace: String] {
        var types = viewTypes(header, footer)
        for (key, view) in supplementaryViews { types[.supplementary(key)] = view.reuseIdentifier }
        return types
    }
}

extension ModelSection where HeaderFooter: ReuseIdentifying {
    fileprivate func viewTypes(_ header: HeaderFooter?, _ footer: HeaderFooter?) -> [ViewPlace: String] {
        [.header: header?.reuseIdentifier, .footer: footer?.reuseIdentifier].compactMapValues(\.self)
    }
}
