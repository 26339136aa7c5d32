import ScreenWire

// The problems of the routes and the middleware of teams. A text states the cause and what to do, for a developer.
extension Problem {
    /// Returns the 404 of a thing that does not exist.
    public static func notFound(_ detail: String) -> Problem { Problem(kind: .notFound, detail: detail) }

    /// Returns the 403 of a user who lacks permission.
    public static func forbidden(_ detail: String) -> Problem { Problem(kind: .forbidden, detail: detail) }

    /// Returns the 400 of a body that is not valid.
    ///
    /// - Parameter pointer: The place of the fault, as a JSON Pointer such as `/name`; empty for the whole body.
    public static func invalidBody(_ detail: String, at pointer: String = "") -> Problem {
        let errors = pointer.isEmpty ? [] : [ProblemDocument.Fault(at: .pointer(pointer), detail)]
        return Problem(kind: .invalidBody, detail: detail, errors: errors)
    }

    /// Returns the 400 of a parameter in the query that is not valid.
    public static func invalidParameter(_ name: String, _ detail: String) -> Problem {
        Problem(kind: .invalidParameters, detail: "\(name): \(detail)", errors: [ProblemDocument.Fault(at: .parameter(name), detail)])
    }

    /// Returns the 503 of a service that a client can try again.
    public static func unavailable(_ detail: String, retryAfter seconds: Int = 1) -> Problem {
        Problem(kind: .unavailable, detail: detail, retryAfter: seconds)
    }
}
