import ArgumentParser
import ScreenClient

/// An error that ends `relist watch`.
enum WatchFault: ReportedFault {
    /// The screen or the list of screens cannot be loaded, or the client has stopped. The text is the cause that the transport knows.
    case failed(ScreenError, cause: String?)
    /// The server sent documents, but no snapshot with which the screen could begin.
    case noSnapshot
    /// The command was ended before the outcome of the actions with these titles was known.
    case undecided([String])

    /// The exit code of `sysexits.h`: EX_UNAVAILABLE or EX_TEMPFAIL.
    var exitCode: ExitCode {
        switch self {
        case .failed, .noSnapshot: ExitCode(69)
        case .undecided: ExitCode(75)
        }
    }

    var lines: [String] {
        switch self {
        case .failed(let error, let cause): [error.message(cause: cause)]
        case .noSnapshot: ["the server sends no snapshot of the screen, only changes from a version that was not requested"]
        case .undecided(let titles):
            ["The outcome of \(WatchedState.list(titles)) is not known. Check the screen before you send anything again.".printable]
        }
    }
}

extension ScreenError {
    /// A sentence for the user of the terminal. It contains texts of the server, but no characters that could control the terminal.
    func message(cause: String?) -> String {
        let text =
            switch self {
            case .unreachable: "the server cannot be reached" + (cause.map { ": \($0)" } ?? "") + "; check the URL and the server"
            case .unreadable(let error): "the document of the server cannot be read: \(Self.text(of: error))"
            case .problem(let problem):
                Self.text(of: problem) + (problem.status == 401 ? " (relist watch takes a token from --token or RELIST_TOKEN)" : "")
            case .token: "the token cannot be read"
            case .cancelled: "the request was cancelled"
            }
        return text.printable
    }

    /// Returns the details of a problem. A detail that repeats another one is left out.
    private static func text(of problem: ProblemDocument) -> String {
        var details = [problem.detail.isEmpty ? problem.title : problem.detail]
        for error in problem.errors where !details.contains(where: { $0.contains(error.detail) }) { details.append(error.detail) }
        return details == ["HTTP \(problem.status)"] ? "the server responded with status \(problem.status)" : details.joined(separator: " ")
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case let faults as DocumentFaults:
            faults.faults.prefix(3).map { "\($0)" }.joined(separator: "; ")
                + (faults.faults.count > 3 ? "; and \(faults.faults.count - 3) more" : "")
        case let error as DecodingError: error.sentence
        default: "it does not follow the protocol"
        }
    }
}

extension DecodingError {
    /// A sentence that states the fault and its place in the document.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.pointer(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context): "\(Self.pointer(context.codingPath)) is null"
        case .typeMismatch(_, let context), .dataCorrupted(let context): "\(Self.pointer(context.codingPath)) has a wrong value"
        @unknown default: "it has a wrong value"
        }
    }

    private static func pointer(_ path: [any CodingKey]) -> String {
        path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }
}

extension ActionError {
    /// A sentence about the outcome of an action.
    func message(title: String, cause: String?) -> String {
        switch self {
        case .disabled: "“\(title)” was not sent, because it cannot be performed now."
        case .notStored: "“\(title)” was not sent, because too many actions are waiting."
        case .rejected(.cancelled): "“\(title)” was not sent."
        case .invalid(let problem): "“\(title)” was not performed: \(ScreenError.problem(problem).message(cause: nil))"
        case .rejected(let error): "“\(title)” was not performed: \(error.message(cause: cause))"
        case .undecided(let error): "The outcome of “\(title)” is not known: \(error.message(cause: cause))"
        }
    }
}
