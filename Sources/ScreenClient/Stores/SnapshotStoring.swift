import ScreenWire

/// A store of snapshots on the device. A screen shows its stored snapshot until it has connected to the server.
public protocol SnapshotStoring: Sendable {
    /// Returns the stored document of a view, or `nil` if no document is stored.
    func snapshot(of view: StoredView) async -> [UInt8]?

    /// Stores the document of a view. It replaces the document that was stored earlier.
    func store(_ snapshot: [UInt8], of view: StoredView) async

    /// Removes all documents of a user.
    func removeSnapshots(of user: String) async
}

/// The identity of a stored snapshot. Users are compared by the bytes of their ids.
public struct StoredView: Hashable, Sendable {
    private let exactUser: ExactText
    /// The URL of the view: the base URL, followed by the path and the query.
    public let address: String

    /// The user of the client. A client without a user stores nothing.
    public var user: String { exactUser.text }

    init(user: String, address: String) {
        exactUser = ExactText(user)
        self.address = address
    }
}

/// A store of the attempts whose outcome is not known yet. Users are compared by the bytes of their ids.
public protocol AttemptStoring: Sendable {
    /// Returns the stored attempts of a user, in the order in which they were stored.
    func attempts(of user: String) async -> [ActionAttempt]

    /// Stores an attempt before its first request is sent.
    ///
    /// - Throws: Any error if the attempt cannot be stored. After an error, the client does not send the action.
    func store(_ attempt: ActionAttempt, of user: String) async throws

    /// Removes an attempt whose outcome is known.
    func removeAttempt(_ key: String, of user: String) async
}

/// An error that a store throws if the maximum number of attempts is stored already.
public struct TooManyAttempts: Error {
    public init() {}
}
