import ScreenClient

/// The message above a list. It tells the user why the list may not be current.
public enum Banner: Hashable {
    /// The content is being loaded, or the connection to the server is being opened.
    case connecting
    /// The server cannot be reached. The list shows the content that was received last.
    case offline
    /// The server cannot read its data at the moment.
    case outdated
    /// The user has to sign in again.
    case signedOut
    /// The server rejects requests for the screen. The text is the reason.
    case rejected(String)
}

extension LiveScreen {
    /// The banner above the list, or `nil` if the list is current.
    var banner: Banner? {
        switch problem {
        case .token: return .signedOut
        case .problem(let problem) where problem.status == 401: return .signedOut
        case .problem(let problem) where problem.status < 500: return .rejected(problem.detail)
        case .unreadable: return .rejected("The app is too old for this screen.")
        case .problem, .unreachable, .cancelled: return .offline
        case nil: break
        }
        if isStale { return .outdated }
        return hasContent && !isStored ? nil : .connecting
    }
}

extension ActionError {
    /// The text of an alert about the error, or `nil` if the form shows the error at its fields.
    var alert: String? {
        switch self {
        case .invalid: nil
        case .disabled: "This cannot be done at the moment."
        case .notStored: "The device has no room to store what you sent."
        case .rejected(let error): error.alert
        case .undecided: "There was no answer. You can send it again when you are online; it is not done twice."
        }
    }
}

extension ScreenError {
    fileprivate var alert: String {
        switch self {
        case .problem(let problem): problem.detail
        case .unreachable: "The server cannot be reached."
        case .unreadable: "The app is too old for this screen."
        case .token: "Please sign in again."
        case .cancelled: "It was cancelled."
        }
    }
}
