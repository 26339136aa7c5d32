/// The way from one list to another, in stages that are each one safe batch update.
///
///     for changeset in StagedChangeset(source: shown, target: new) {
///         // what to tell the view is in `changeset.stage`, what it shows then is `changeset.data`
///     }
///
/// A list is any collection of elements or of sections, such as a model. There are at most five stages, in the
/// protocol's order, and none if nothing differs; the data of the last is the target. The names are those of
/// DifferenceKit.
public struct StagedChangeset<Collection: Swift.Collection> {
    private var changesets: [Changeset<Collection>]

    /// Creates a changeset without stages.
    public init() {
        changesets = []
    }

    @usableFromInline
    init(_ stages: [Stage], _ lists: PlayedLists<Collection>) {
        changesets = stages.enumerated().map { Changeset($1, lists, step: $0 < stages.count - 1 ? $0 : nil) }
    }

    /// What the changesets tell a view, without their data.
    public var stages: [Stage] { map(\.stage) }
}

extension StagedChangeset where Collection: RangeReplaceableCollection, Collection.Element: DifferentiableSection {
    /// Finds the changeset between two lists of sections.
    ///
    /// - Parameter anchor: the identifier of a cell that stays in place rather than another, such as
    ///   the one that the user looks at, where that costs no further move.
    @inlinable
    public init(
        source: Collection, target: Collection, anchor: Collection.Element.Collection.Element.DifferenceIdentifier? = nil
    ) {
        self.init(Array(source), Array(target), to: target, anchor: anchor)
    }

    /// - Parameter target: the list that `new` are the sections of.
    @inlinable
    init(
        _ old: [Collection.Element], _ new: [Collection.Element], to target: Collection,
        anchor: Collection.Element.Collection.Element.DifferenceIdentifier?
    ) {
        let lists = TypedLists(old, new)
        // The cells that were compared: a section that is an object may have others when it is played.
        let (before, after) = (lists.old.list, lists.new.list)
        let stages = lists.stages(anchor: anchor)
        self.init(stages, PlayedLists(target: target) {
            PlayedNumbers(stages, before, after).lists(before, after).map { Collection($0) }
        })
    }
}

extension StagedChangeset where Collection: RangeReplaceableCollection, Collection.Element: Differentiable {
    /// Finds the changeset between two lists without sections.
    ///
    /// - Parameters:
    ///   - section: the section of the view that shows the list; all places are in it.
    ///   - anchor: the identifier of an element that stays in place rather than another, such as the one that the
    ///     user looks at, where that costs no further move.
    // Sections are elements, too, and mostly have identifiers of the same type as their cells.
    @_disfavoredOverload @inlinable
    public init(
        source: Collection, target: Collection, section: Int = 0, anchor: Collection.Element.DifferenceIdentifier? = nil
    ) {
        let (old, new) = (FlatSection(source), FlatSection(target))
        let stages = TrivialLists(old.elements, new.elements)?.stages(anchor: anchor)
            ?? TypedLists([old], [new]).stages(anchor: anchor)
        let played = PlayedLists(target: target) {
            let (before, after) = (SectionedList([old], cells: \.elements), SectionedList([new], cells: \.elements))
            return PlayedNumbers(stages, before, after).lists(before, after).map { Collection($0[0].elements) }
        }
        self.init(section == 0 ? stages : stages.map { $0.moved(by: section) }, played)
    }
}

extension StagedChangeset: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { changesets.count }

    public subscript(position: Int) -> Changeset<Collection> {
        get { changesets[position] }
        set { changesets[position] = newValue }
    }

    public mutating func replaceSubrange(_ subrange: Range<Int>, with newElements: some Swift.Collection<Changeset<Collection>>) {
        changesets.replaceSubrange(subrange, with: newElements)
    }
}

extension StagedChangeset: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Changeset<Collection>...) {
        changesets = elements
    }
}

extension StagedChangeset: Equatable where Collection: Equatable {}
extension StagedChangeset: Sendable where Collection: Sendable {}

extension StagedChangeset: CustomDebugStringConvertible {
    /// The stages, some lines each.
    public var debugDescription: String {
        let stages = enumerated().map { "stage \($0 + 1) of \(count)\n\($1.debugDescription)" }
        return (["\(changeCount) changes in \(count) stages"] + stages).joined(separator: "\n")
    }
}
