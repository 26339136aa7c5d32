public import ScreenWire

/// The programming errors in the content of a screen.
///
/// Debug builds check the content and do not serve a screen with faults. Release builds check only whether the content is tracked, and log a
/// warning if it is not.
public struct ContentFaults: Error, Hashable {
    public let screen: String
    public let faults: [Fault]

    /// A fault of a cell or a view, with the name of its Swift type.
    public enum Fault: Hashable, Sendable {
        /// The name of a field is reserved for the protocol, or begins with `$`.
        case reservedField(String, of: String)
        /// The fields of the cell or view are not a valid JSON object. For example, a field is written twice.
        case unreadableFields(JSONSyntaxError.Cause, of: String)
        /// Two Swift types have the same `type` on the wire, so clients cannot distinguish them.
        case sharedType(String, of: String, and: String)
        /// The fallback of a view has a fallback itself, although every client must know the type of a fallback.
        case fallbackOfFallback(String, of: String)
        /// The `type` on the wire is missing in the `reuseIdentifiers` of the Swift type.
        case unlistedIdentifier(String, of: String)
        /// The screen does not list the type of the cell or view.
        case unlistedType(String)
        /// The cell or view offers an action that the screen does not have.
        case unlistedAction(String, of: String)
        /// The cell or view is `Sized`, but the content has no frame, so clients would not receive the size.
        case sizeWithoutFrame(String)
        /// Two cells with the same id are equal by `==` or `isKnownEqual(to:)`, but are written differently.
        case unequalCells
        /// Nothing that the content was computed from is tracked, so it would never be computed again.
        case untrackedContent
    }
}

extension ContentFaults: CustomStringConvertible {
    public var description: String {
        "the screen \(screen.quoted) cannot be shown: \(faults.map(\.description).joined(separator: "; "))"
    }
}

extension ContentFaults.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .reservedField(let name, let type): "\(type) writes a field \(name.quoted), which is a reserved name"
        case .unreadableFields(let cause, let type): "\(type) does not write a valid JSON object: \(cause)"
        case .sharedType(let name, let first, let second):
            "\(first) and \(second) both have the type \(name.quoted): one of them needs another `reuseIdentifier`"
        case .fallbackOfFallback(let fallback, let type):
            "\(type) has the fallback \(fallback), which has a fallback itself: every client must know its type"
        case .unlistedIdentifier(let name, let type): "\(type) has the type \(name.quoted), which is missing in its `reuseIdentifiers`"
        case .unlistedType(let type): "\(type) is shown, but missing in `cellTypes` or `viewTypes`"
        case .unlistedAction(let action, let type): "\(type) offers the action \(action.quoted), which is missing in `actions`"
        case .sizeWithoutFrame(let type):
            "\(type) is `Sized`, but the content has no frame: create it with `ScreenContent(title:frame:model:)`"
        case .unequalCells:
            "cells are written differently although `==` or `isKnownEqual(to:)` says that they are equal: it must compare all that is written"
        case .untrackedContent:
            """
            nothing that it read is tracked, so it would never change: read its data through the service's store, record a topic \
            (`topics.recorder?.record(…)`), read the time from the request, or declare `let isStatic = true`
            """
        }
    }
}
