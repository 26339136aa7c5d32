public import ScreenWire

/// A failure of a request to the server.
public enum ScreenError: Error {
    /// The server could not be reached, or the response did not come from the service.
    case unreachable
    /// The response of the server has a document that cannot be read.
    case unreadable(any Error)
    /// The server responded with a problem.
    case problem(ProblemDocument)
    /// The token source threw an error.
    case token(any Error)
    /// The request was cancelled by the app.
    case cancelled
}

extension ProblemDocument {
    /// The details of the invalid fields of an action's input, by the name of the field.
    public var fieldErrors: [String: [String]] {
        var details: [String: [String]] = [:]
        for error in errors {
            guard case .pointer(let pointer) = error.place, pointer.hasPrefix("/input/") else { continue }
            // JSON pointers escape some characters of a name (RFC 6901, section 3).
            let name = pointer.dropFirst("/input/".count).prefix { $0 != "/" }
            let unescaped = name.split(separator: "~1", omittingEmptySubsequences: false).map {
                $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            }
            details[unescaped.joined(separator: "/"), default: []].append(error.detail)
        }
        return details
    }
}

/// A failure of an action.
public enum ActionError: Error {
    /// The action was not executed, for one of these reasons: an earlier execution is in progress, the cell disables the action, the server
    /// cannot be reached, or the attempt cannot be retried (``LiveScreen/retry(_:)``).
    case disabled
    /// The attempt could not be stored on the device, so the action was not sent.
    case notStored(any Error)
    /// The input of the action is invalid. The action was not performed.
    case invalid(ProblemDocument)
    /// The action was not performed.
    case rejected(ScreenError)
    /// The outcome of the action is not known. If the client has a user, the attempt stays stored, and ``LiveScreen/undecided()`` returns
    /// it.
    case undecided(ScreenError)
}
