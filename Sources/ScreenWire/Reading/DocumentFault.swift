import ScreenModel

/// A fault of a document: its place and its cause.
public struct DocumentFault: Error, Hashable {
    /// The place of the fault in the document.
    public let pointer: JSONPointer
    /// The reason why the value at this place is wrong.
    public let cause: Cause

    /// The reason why a value of a document is wrong.
    public enum Cause: Hashable, Sendable {
        // Faults of the shape of a document.

        /// A required member is missing.
        case missing
        /// The value does not have the expected JSON type.
        case wrongKind(expected: String, found: String)
        /// The string is not one of the expected strings.
        case unexpectedText(found: String, expected: [String])
        /// A stage or an operation has a key that the protocol does not define. A client that reads such a key requests a snapshot.
        case unknownKey
        /// The array or object is empty and should be omitted.
        case isEmpty
        /// The array has a wrong number of elements.
        case wrongCount(expected: Int, found: Int)
        /// The number is not a valid index, which is a whole number that is 0 or greater.
        case notAnIndex(String)
        /// The number is not a valid count, which is a whole number that is 1 or greater.
        case notACount(String)
        /// The supplementary view has neither the member `cell` nor the member `item`.
        case noCellOrItem
        /// The id occurs more than once. Its first place is `first`.
        case repeatedID(String, first: JSONPointer)

        // Faults of a changeset that does not fit its snapshot.

        /// The changeset does not start from the version of the snapshot.
        case wrongVersion(expected: String, found: String)
        /// The changeset changes the content, but not the version.
        case changesWithoutVersion

        // Violations of the rules of stages.

        /// The stage mixes operations that belong in separate stages. The array contains their keys.
        case mixedStage([String])
        /// The stage comes too late, or there is already a stage of its kind. The first array contains the keys that are allowed in this
        /// stage. `after` contains the keys that are allowed in the previous stage.
        case stageOutOfOrder([String], after: [String])
        /// The operations are not in ascending order.
        case notAscending
        /// The index is out of bounds. There are only `count` elements.
        case outOfBounds(count: Int)
        /// Two operations have the same source.
        case sourceTwice
        /// Two operations have the same target.
        case targetTwice
        /// The update does not change the content.
        case changesNothing
        /// The inserted id exists already.
        case insertsExistingID(String)
        /// The inserted id is also deleted. The cell or section should be moved or updated instead.
        case insertsDeletedID(String)
        /// There are more moves than necessary.
        case needlessMoves(found: Int, least: Int)

        // Differences between two snapshots that a changeset cannot express.

        /// The versions are equal, but the contents differ.
        case sameVersion
        /// The old snapshot has a title and the new one has none.
        case titleRemoved
        /// The value of a key that the protocol does not define has changed. No operation can change it.
        case inexpressibleChange
    }
}

/// The faults of a document, at least one.
public struct DocumentFaults: Error, Hashable {
    public let faults: [DocumentFault]
}

extension DocumentFault: CustomStringConvertible {
    /// A sentence without its full stop, such as `/sections/0/id is missing`.
    public var description: String {
        let place = pointer.steps.isEmpty ? "the document" : pointer.description
        return "\(place) \(cause)"
    }
}

extension DocumentFault.Cause: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .wrongKind(let expected, let found): "is \(found), not \(expected)"
        case .unexpectedText(let found, let expected): "is \(found.quoted), not \(expected.map(\.quoted).joined(separator: " or "))"
        case .unknownKey: "is not known"
        case .isEmpty: "is empty; it should be left out"
        case .wrongCount(let expected, let found): "has \(found) elements, not \(expected)"
        case .notAnIndex(let found): "is \(found), not a whole number from 0 on"
        case .notACount(let found): "is \(found), not a whole number from 1 on"
        case .noCellOrItem: "has neither a cell nor an item"
        case .repeatedID(let id, let first): "is \(id.quoted), as \(first) is already"

        case .wrongVersion(let expected, let found): "is \(found.quoted), but the snapshot's version is \(expected.quoted)"
        case .changesWithoutVersion: "changes the content, but the version stays the same"

        case .mixedStage(let keys): "has \(keys.joined(separator: " and ")), which belong in separate stages"
        case .stageOutOfOrder(let keys, let after):
            "comes too late: a stage of \(keys.joined(separator: ", ")) must not follow one of \(after.joined(separator: ", "))"
        case .notAscending: "is not in ascending order"
        case .outOfBounds(let count): "is out of bounds: there are \(count)"
        case .sourceTwice: "has a source that this stage already deletes, moves or updates"
        case .targetTwice: "has a target that this stage already uses"
        case .changesNothing: "changes nothing"
        case .insertsExistingID(let id): "is \(id.quoted), which exists already"
        case .insertsDeletedID(let id): "is \(id.quoted), which is also deleted; it should be moved or updated"
        case .needlessMoves(let found, let least): "moves \(found), but \(least) would be enough"

        case .sameVersion: "is the old snapshot's too, but their contents differ"
        case .titleRemoved: "is missing, but the old snapshot has one; a changeset cannot remove a title"
        case .inexpressibleChange: "differs from the old snapshot, and a changeset cannot change it"
        }
    }
}

extension String {
    /// The string in quotes and escaped as in JSON, so that its beginning and end are visible in a message.
    package var quoted: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
