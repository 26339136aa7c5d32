public import ScreenWire

/// All that is wrong with what a screen shows: mistakes of its author.
///
/// In debug builds, where tests run, such a screen is not served. Release builds do not look.
public struct ContentFaults: Error, Hashable {
    public let screen: String
    public let faults: [Fault]

    /// A fault of a cell or a view, with the name of its Swift type.
    public enum Fault: Hashable, Sendable {
        /// A field has a name that means something to the protocol, or that begins with `$`.
        case reservedField(String, of: String)
        /// The fields are no JSON together, such as when one is there twice.
        case unreadableFields(JSONSyntaxError.Cause, of: String)
        /// The names of two Swift types lead to one `type` on the wire: clients cannot tell what to show.
        case sharedType(String, of: String, and: String)
        /// What a view falls back to falls back to something itself, but is to be known to every client.
        case fallbackOfFallback(String, of: String)
        /// The type on the wire is none of those that the type's `reuseIdentifiers` says.
        case unsaidType(String, of: String)
        /// A cell or a view of a type that the screen does not list.
        case unlistedType(String)
        /// Cells that were known to equal those that stood under their ids before are written differently.
        case unequalCells
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
        case .reservedField(let name, let type): "\(type) writes a field \(name.quoted), a name that belongs to the protocol"
        case .unreadableFields(let cause, let type): "\(type) writes fields that are no JSON object: \(cause)"
        case .sharedType(let name, let first, let second):
            "\(first) and \(second) are both of type \(name.quoted): one of them has to state another `reuseIdentifier`"
        case .fallbackOfFallback(let fallback, let type):
            "\(type) falls back to \(fallback), which has a fallback itself: it has to be of a type that every client knows"
        case .unsaidType(let name, let type): "\(type) is of type \(name.quoted), which its `reuseIdentifiers` do not have"
        case .unlistedType(let type): "\(type) is shown, but not listed in `cellTypes` or `viewTypes`"
        case .unequalCells:
            "cells that equal those of before, by `==` or `isKnownEqual(to:)`, are written differently: all that is written has to count"
        }
    }
}
