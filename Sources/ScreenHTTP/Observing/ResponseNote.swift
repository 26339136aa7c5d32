import HTTPServer
import ScreenService

/// The description of a response for the observers of requests. It is an object that is made with the response, so that a cached response has
/// one, too, and sending it allocates nothing.
final class ResponseNote: Sendable {
    let kind: ResponseKind
    /// The number of bytes of the whole snapshot; nil if the response is not about a view.
    let snapshotBytes: Int?

    private init(_ kind: ResponseKind, snapshotBytes: Int? = nil) {
        (self.kind, self.snapshotBytes) = (kind, snapshotBytes)
    }

    static let performed = ResponseNote(.performed)
    static let stream = ResponseNote(.stream)
    static let file = ResponseNote(.file)
    static let fileNotModified = ResponseNote(.notModified)

    private static let problems = Dictionary(
        uniqueKeysWithValues: Problem.Kind.allCases.map { ($0, ResponseNote(.problem($0.rawValue))) }
    )

    static func problem(_ kind: Problem.Kind) -> ResponseNote? { problems[kind] }

    static func of(_ document: Document) -> ResponseNote {
        let kind: ResponseKind =
            switch document.kind {
            case .snapshot: .snapshot(document.reason)
            case .changeset: document.isUnchanged ? .unchanged : .changeset
            case .listing: .other
            }
        return ResponseNote(kind, snapshotBytes: document.snapshotByteCount)
    }

    static func notModified(_ document: Document) -> ResponseNote {
        ResponseNote(.notModified, snapshotBytes: document.snapshotByteCount)
    }
}
