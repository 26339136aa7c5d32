/// The changes from one list to another, in stages. Each stage is one batch update.
///
///     for changeset in StagedChangeset(source: shown, target: new) {
///         // Perform `changeset.stage` on the view, and set its data to `changeset.data`.
///     }
///
/// A list is any collection of elements or of sections, such as a model. There are at most five stages, in the order that the Relist
/// protocol defines. If the lists are equal, there are no stages. The data of the last stage is the target. Types and properties have
/// the same names as in DifferenceKit.
public struct StagedChangeset<Collection: Swift.Collection> {
    private var changesets: [Changeset<Collection>]

    /// Creates a changeset without stages.
    public init() {
        changesets = []
    }

    @usableFromInline
    init(_ stages: [Stage], _ lists: PlayedLists<Collection>) {
        changesets = stages.enumerated().map { Changeset($1, lists, step: $0) }
    }

    /// The stages without their data.
    public var stages: [Stage] { map(\.stage) }
}

extension StagedChangeset where Collection: RangeReplaceableCollection, Collection.Element: DifferentiableSection {
    /// Finds the changeset between two lists of sections.
    ///
    /// - Parameter anchor: the identifier of a cell, such as the cell that the user looks at. The cell stays in place if keeping
    ///   it in place needs no additional move.
    @inlinable
    public init(
        source: Collection, target: Collection, anchor: Collection.Element.Collection.Element.DifferenceIdentifier? = nil
    ) {
        self.init(Array(source), Array(target), to: target, anchor: anchor)
    }

    /// Finds the changeset between two arrays of sections. `target` is a collection of the same sections as `new`.
    @inlinable
    init(
        _ old: [Collection.Element], _ new: [Collection.Element], to target: Collection,
        anchor: Collection.Element.Collection.Element.DifferenceIdentifier?
    ) {
        let lists = TypedLists(old, new)
        // The compared cells are stored, because a section that is an object can change its cells before the data of the stages
        // is computed.
        let (before, after) = (lists.old.list, lists.new.list)
        let stages = lists.stages(anchor: anchor)
        let updatesInPlace = { (stage: Stage, previous: Collection?) in
            UpdatesInPlace(in: stage, from: before, to: after) { $0 < 0 ? nil : previous?.dropFirst($0).first }
        }
        self.init(
            stages,
            PlayedLists(target: target, count: stages.count, updatesInPlace: updatesInPlace) {
                PlayedNumbers(stages, before, after).lists(before, after).map { Collection($0) }
            })
    }
}

extension StagedChangeset where Collection: RangeReplaceableCollection, Collection.Element: Differentiable {
    /// Finds the changeset between two lists without sections.
    ///
    /// - Parameters:
    ///   - section: the index of the section of the view that shows the list. All places in the changeset are in this section.
    ///   - anchor: the identifier of an element, such as the element that the user looks at. The element stays in place if
    ///     keeping it in place needs no additional move.
    @_disfavoredOverload @inlinable
    public init(
        source: Collection, target: Collection, section: Int = 0, anchor: Collection.Element.DifferenceIdentifier? = nil
    ) {
        // This overload is disfavoured, because a list of sections also fits it.
        let (old, new) = (FlatSection(source), FlatSection(target))
        let stages =
            TrivialLists(old.elements, new.elements)?.stages(anchor: anchor)
            ?? TypedLists([old], [new]).stages(anchor: anchor)
        let updatesInPlace = { (stage: Stage, _: Collection?) in
            UpdatesInPlace(in: stage, from: old.elements, to: new.elements)
        }
        let played = PlayedLists(target: target, count: stages.count, updatesInPlace: updatesInPlace) {
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
    /// The stages as text, with several lines for each stage.
    public var debugDescription: String {
        let stages = enumerated().map { "stage \($0 + 1) of \(count)\n\($1.debugDescription)" }
        return (["\(changeCount) changes in \(count) stages"] + stages).joined(separator: "\n")
    }
}
