/// An error about an operation that cannot be applied, because one of its places breaks a rule.
public struct StageMisfit: Error, Hashable {
    /// The operation that cannot be applied.
    public let operation: Operation
    /// The first place in the operation that breaks the rule.
    public let place: Place
    /// The rule that the operation breaks.
    public let cause: Cause

    /// An operation of a stage.
    public struct Operation: Hashable, Sendable {
        public let kind: Kind
        /// The index of the operation among the operations of the same kind in the stage.
        public let index: Int

        public init(_ kind: Kind, _ index: Int) {
            self.kind = kind
            self.index = index
        }
    }

    /// The kinds of operations, with the names that the Relist protocol uses.
    public enum Kind: String, Hashable, Sendable {
        case updateCells, insertSections, deleteCells, insertCells, moveCells, deleteSections, moveSections, updateSections
    }

    /// A place that an operation names: the place of a cell or of a section.
    public enum Place: Hashable, Sendable {
        case cell(CellPlace)
        case section(Int)
    }

    /// The rules that an operation can break.
    public enum Cause: Hashable, Sendable {
        /// The place is out of bounds: its section has only `count` cells, or the list has only `count` sections.
        case outOfBounds(count: Int)
        /// Two operations delete, move or update the same element.
        case sourceTwice
        /// Two operations insert or move elements to the same place.
        case targetTwice
        /// The place is before the place of the previous operation. Deletes and inserts must be in ascending order.
        case notAscending
        /// The count of a run is zero or negative.
        case emptyRun(count: Int)
        /// The target has no content for an inserted or updated element.
        case missingContent
    }

    @usableFromInline
    init(_ operation: Operation, at place: Place, _ cause: Cause) {
        self.operation = operation
        self.place = place
        self.cause = cause
    }
}
