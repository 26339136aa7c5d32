import ScreenModel

/// Something that is wrong with a document, and where.
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

/// All that is wrong with a document; at least one fault.
public struct DocumentFaults: Error, Hashable {
    public let faults: [DocumentFault]
}

extension DocumentFault: CustomStringConvertible {
    /// A sentence without its full stop: `/sections/0/id is missing`.
    public var description: String {
        let place = pointer.steps.isEmpty ? "the document" : pointer.description
        return "\(place) \(cause)"
    }
}

extension DocumentFault.Cause: CustomStringConvertible {
    public var description: String {
        shapeText ?? fitText ?? ruleText ?? pairText ?? ""
    }

    private var shapeText: String? {
        switch self {
        case .missing: "is missing"
        case .wrongKind(let expected, let found): "is \(found), not \(expected)"
        case .otherWord(let found, let expected): "is \(found.quoted), not \(expected.map(\.quoted).joined(separator: " or "))"
        case .unknownKey: "is not known"
        case .isEmpty: "is empty; it should be left out"
        case .wrongCount(let expected, let found): "has \(found) elements, not \(expected)"
        case .notAPlace(let found): "is \(found), not a whole number from 0 on"
        case .notACount(let found): "is \(found), not a whole number from 1 on"
        case .belongsNowhere: "has neither a cell nor an item"
        case .repeatedID(let id, let first): "is \(id.quoted), as \(first) is already"
        default: nil
        }
    }

    private var fitText: String? {
        switch self {
        case .otherScreen(let held, let named): "is \(named.quoted), but the snapshot's is \(held.quoted)"
        case .otherVersion(let held, let named): "is \(named.quoted), but the snapshot's version is \(held.quoted)"
        case .changesWithoutVersion: "changes something, but the version stays"
        default: nil
        }
    }

    private var ruleText: String? {
        switch self {
        case .mixedStage(let keys): "has \(keys.joined(separator: " and ")), which belong into stages of their own"
        case .stageOutOfOrder(let keys, let after):
            "comes too late: no stage of \(keys.joined(separator: ", ")) follows one of \(after.joined(separator: ", "))"
        case .notAscending: "comes before the one that it follows; these ascend"
        case .outOfBounds(let count): "reaches beyond the end: there are \(count)"
        case .sourceTwice: "takes what this stage deletes, moves or updates already"
        case .targetTwice: "puts something where this stage puts something already"
        case .otherCell(let held, let named): "is \(named.quoted), but the cell there is \(held.quoted)"
        case .changesNothing: "changes nothing"
        case .insertsWhatIsThere(let id): "is \(id.quoted), which the snapshot has already"
        case .insertsWhatItDeletes(let id): "is \(id.quoted), which is deleted too; what stays is moved and updated"
        case .needlessMoves(let found, let least): "moves \(found), where \(least) would do"
        default: nil
        }
    }

    private var pairText: String? {
        switch self {
        case .otherLayout(let held, let named): "is \(named.rawValue.quoted), but the old snapshot's is \(held.rawValue.quoted)"
        case .sameVersion: "is the old snapshot's too, but their contents differ"
        case .titleGoes: "is missing, but the old snapshot has one; a changeset cannot take a title away"
        case .unsaidChange: "differs from the old snapshot; a changeset cannot say so"
        default: nil
        }
    }
}

extension String {
    /// This text as JSON, so that nothing in it can be mistaken for the text around it.
    package var quoted: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
