/// A reason why a stage cannot be played on a list: an operation that breaks a rule about places.
public struct StageMisfit: Error, Hashable {
    /// The operation that does not fit.
    public let operation: Operation
    /// The first of its places that does not.
    public let place: Place
    /// What is wrong there.
    public let cause: Cause

    /// An operation of a stage.
    public struct Operation: Hashable, Sendable {
        public let kind: Kind
        /// Its index among the operations of its kind.
        public let index: Int

        public init(_ kind: Kind, _ index: Int) {
            self.kind = kind
            self.index = index
        }
    }

    /// The kinds of operations, named as in a stage and in the protocol.
    public enum Kind: String, Hashable, Sendable {
        case updateCells, insertSections, deleteCells, insertCells, moveCells, deleteSections, moveSections, updateSections
    }

    /// A place in the list before the stage or, where something is put, after it.
    public enum Place: Hashable, Sendable {
        case cell(CellPlace)
        case section(Int)
    }

    /// The rules about places, each by what breaks it.
    public enum Cause: Hashable, Sendable {
        /// There are only so many cells in the section, or sections in the list.
        case outOfBounds(count: Int)
        /// Another operation deletes, moves or updates what is there.
        case sourceTwice
        /// Another operation puts something there.
        case targetTwice
        /// The operation before it names a later place; deletes and inserts ascend.
        case notAscending
        /// A run has no cells, or less than none.
        case emptyRun(count: Int)
        /// The list that the changeset leads to lacks what is to be inserted or shown here.
        case missingContent
    }

    @usableFromInline
    init(_ operation: Operation, at place: Place, _ cause: Cause) {
        self.operation = operation
        self.place = place
        self.cause = cause
    }
}
