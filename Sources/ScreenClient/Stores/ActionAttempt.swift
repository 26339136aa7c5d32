public import Foundation
public import ScreenModel

/// An attempt to perform an action. If the attempt is repeated with the same key, the server performs the action at most once.
public struct ActionAttempt: Hashable, Sendable, Identifiable {
    /// The number of seconds for which an attempt can be repeated after it was created. The server remembers the idempotency key for one
    /// hour longer. The extra hour allows for different clocks on the device and the server.
    static let repeatableTime: TimeInterval = 23 * 3600

    /// The idempotency key.
    public let key: String
    public let action: String
    /// The id of the cell that offers the action, or `nil` if the action does not belong to a cell.
    public let cell: String?
    public let input: JSONValue
    /// The address of the view that offers the action.
    let view: ViewAddress
    let baseURL: String
    /// The user of the client that executed the action, or `nil`. Another user never sends the attempt.
    let user: String?
    /// The time when the app executed the action.
    public let created: Date

    public var id: String { key }

    /// Returns a Boolean value that indicates whether the attempt can be repeated safely, because the server still remembers the key. This
    /// is the case for 23 hours.
    public func isRepeatable(at now: Date) -> Bool {
        (-3600..<Self.repeatableTime).contains(now.timeIntervalSince(created))
    }
}
