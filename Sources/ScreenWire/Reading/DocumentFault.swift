/// Says what is wrong with a document, and where.
public struct DocumentFault: Error, Hashable {
    public let pointer: JSONPointer
    public let cause: Cause

    public enum Cause: Hashable, Sendable {
        // Shapes.
        case missing
        case wrongKind(expected: String, found: String)
        case otherWord(found: String, expected: [String])
        /// A client would ask for a snapshot here.
        case unknownKey
        case isEmpty
        case wrongCount(expected: Int, found: Int)
        case notAPlace(String)
        case notACount(String)
        /// A supplementary view belongs to no cell and to no place.
        case belongsNowhere
        case repeatedID(String, first: JSONPointer)

        // A changeset and the snapshot that it is for.
        case otherScreen(held: String, named: String)
        case otherVersion(held: String, named: String)
        /// The version is to stay, but something is to change.
        case changesWithoutVersion

        // The rules of stages.
        /// Operations of different kinds that one stage has, by keys.
        case mixedStage([String])
        /// Operations with these keys come before those with the others, or belong into one stage with them.
        case stageOutOfOrder([String], after: [String])
        case notAscending
        /// How many there are of what is counted here.
        case outOfBounds(count: Int)
        case sourceTwice
        case targetTwice
        case otherCell(held: String, named: String)
        case changesNothing
        case insertsWhatIsThere(String)
        case insertsWhatItDeletes(String)
        case needlessMoves(found: Int, least: Int)

        // Two snapshots that no changeset lies between.
        case otherLayout(held: Layout, named: Layout)
        case sameVersion
        case titleGoes
        /// The key is none of those that a changeset can change.
        case unsaidChange
    }
}

/// Is all that is wrong with a document; at least one fault.
public struct DocumentFaults: Error, Hashable {
    public let faults: [DocumentFault]
}
