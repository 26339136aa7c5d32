public import ScreenService
public import ScreenWire

/// A request whose response has ended, for metrics and logs.
///
/// Apart from the ids in `trace`, no text in it is chosen by the client. So the texts can be logged, and there are few different values of
/// `method`, `route`, `screen` and `kind`.
public struct ObservedRequest: Sendable {
    /// The method, such as `GET`, or `other` if no route can have the method.
    public let method: String
    /// The pattern of the path, such as `/screens/{screen}/changes`; nil if the path cannot be decoded. An unknown path has the pattern of
    /// files, `/{file}`.
    public let route: String?
    /// The name of the screen in the path; nil if there is no such screen.
    public let screen: String?
    /// The caller. If a layer rejects the request, this is the caller that the layers before it have found. If a layer responds itself, this
    /// is the address of the connection's peer.
    public let caller: LimitKey
    public let trace: RequestTrace
    /// The status code; nil if the connection ended before there was a response.
    public let status: Int?
    /// A Boolean value that indicates whether the complete response was sent.
    public let isComplete: Bool
    /// The number of bytes of the body as it was sent, after compression (see `EndedResponse.bodyBytes`).
    public let bodyBytes: Int
    /// The time from the arrival of the request to the end of the response. The time of a stream is the time for which it was open.
    public let duration: Duration
    public let kind: ResponseKind
    /// The number of bytes of the whole snapshot without compression, for a snapshot, changes, or a 304 of a snapshot; nil for any other
    /// response.
    public let snapshotBytes: Int?
}

/// The kind of a response.
public enum ResponseKind: Hashable, Sendable {
    /// A snapshot. The reason is nil if the request was for a snapshot.
    case snapshot(SnapshotReason?)
    case changeset
    /// A changeset without changes, because the client has the current version.
    case unchanged
    /// A 304: the client has the document or the file.
    case notModified
    case stream
    /// The response to an action, without a document.
    case performed
    /// A problem with the last part of its type, such as `unknown-screen`.
    case problem(String)
    case file
    /// Any other response, such as the list of screens or the response of a team's route, or no response.
    case other

    /// The name of the kind, without the reason.
    public var name: String {
        switch self {
        case .snapshot: "snapshot"
        case .changeset: "changeset"
        case .unchanged: "unchanged"
        case .notModified: "not-modified"
        case .stream: "stream"
        case .performed: "performed"
        case .problem: "problem"
        case .file: "file"
        case .other: "other"
        }
    }

    /// The reason of a snapshot, or the type of a problem; nil for any other response.
    public var reason: String? {
        switch self {
        case .snapshot(let reason): reason?.rawValue
        case .problem(let type): type
        default: nil
        }
    }

    /// A Boolean value that indicates whether such a response is sent only for a screen that exists, if the path names a screen.
    var provesScreen: Bool {
        switch self {
        case .snapshot, .changeset, .unchanged, .notModified, .stream, .performed: true
        case .problem, .file, .other: false
        }
    }
}
