public import Foundation
public import ScreenModel

/// An attempt to perform an action. If the attempt is repeated with the same key, the server performs the action at most once.
public struct ActionAttempt: Hashable, Sendable, Identifiable {
    /// The time in seconds for which the server remembers the idempotency key of an action.
    static let lifetime: TimeInterval = 24 * 3600

    /// The idempotency key.
    public let key: String
    public let action: String
    /// The id of the cell that offers the action, or `nil` if the action does not belong to a cell.
    public let cell: String?
    public let input: JSONValue
    /// The address of the view that offers the action.
    let view: ViewAddress
    let baseURL: String
    /// The time when the app executed the action.
    public let created: Date

    public var id: String { key }

    /// Returns a Boolean value that indicates whether the attempt can be repeated safely, because the server still remembers the key. The
    /// last hour of the lifetime is not used, because the clocks of the device and the server can differ.
    func isRepeatable(at now: Date) -> Bool {
        (-3600..<Self.lifetime - 3600).contains(now.timeIntervalSince(created))
    }
}
