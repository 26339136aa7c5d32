/// A reason for a list view to hold changes. The list view performs the held changes as one when no reason is left.
public enum HoldingReason: Hashable, Sendable {
    /// A field in the list is edited.
    case editing
    /// The user has paused the list.
    case pause
}

/// Decides which changes a list view performs at once, and which it holds.
///
/// Changes are held while a finger scrolls, while a field in the list is edited, and while the list is paused. They are then performed as
/// one. A request of the user interrupts the holding when it begins and when it ends: what is held is performed, and the changes of the
/// next moments are not held, because one of them can be the result of the request. Only a field that is edited holds all changes, because
/// any of them could replace its text.
///
/// The first content is never held, and neither is the removal of all content, such as when another user signs in.
struct HeldChanges: Sendable {
    /// The duration after the begin and after the end of a request for which changes are not held. On a screen that is followed, the stream
    /// brings the result of an action before or after the response. In between, changes are held, because a request can be in progress for
    /// minutes.
    static let attributionTime: Duration = .seconds(2)

    private var reasons: Set<HoldingReason> = []
    private var isScrolled = false
    private var held: ListUpdate?
    /// The number of changes that are held.
    private(set) var count = 0
    /// A Boolean value that indicates whether the list view shows content.
    private var hasContent = false
    /// The time until which changes are not held because of a request.
    private var attributedUntil = Duration.zero

    /// Adds a change. Returns the change to perform now, together with all changes that were held, or `nil` if the change is held.
    ///
    /// - Parameter now: The time since a fixed start.
    mutating func take(_ update: ListUpdate, at now: Duration) -> ListUpdate? {
        // The first content is a snapshot. Stages before it belong to content that was discarded, so the list view cannot perform them.
        if !hasContent, held == nil, case .stages = update.kind { return nil }
        held = held?.merged(with: update) ?? update
        count += 1
        let isReplaced = hasContent && update.model.version != nil
        return isReplaced && isHolding(at: now) ? nil : release()
    }

    /// Holds changes for a reason, until the reason ends.
    mutating func begin(_ reason: HoldingReason) { reasons.insert(reason) }

    /// Ends a reason to hold changes. Returns the held changes as one change, or `nil` if no changes are held or they must still be held
    /// for another reason.
    mutating func end(_ reason: HoldingReason, at now: Duration) -> ListUpdate? {
        reasons.remove(reason)
        return isHolding(at: now) ? nil : release()
    }

    /// Holds changes until ``endScrolling(at:)`` is called.
    mutating func beginScrolling() { isScrolled = true }

    /// Ends the holding because of a scroll. Returns the held changes as one change, or `nil` as for ``end(_:at:)``.
    mutating func endScrolling(at now: Duration) -> ListUpdate? {
        isScrolled = false
        return isHolding(at: now) ? nil : release()
    }

    /// Interrupts the holding because a request of the user, such as an action, begins or ends. Returns the held changes as one, or `nil`
    /// if there are none or a field is edited.
    mutating func noteRequest(at now: Duration) -> ListUpdate? {
        attributedUntil = now + Self.attributionTime
        return isHolding(at: now) ? nil : release()
    }

    /// Releases all held changes, and returns them as one change. Returns `nil` if no changes are held.
    mutating func release() -> ListUpdate? {
        defer { (held, count) = (nil, 0) }
        if let held { hasContent = held.model.version != nil }
        return held
    }

    /// Discards the held changes. The next change is shown at once, as the first content is.
    mutating func reset() {
        _ = release()
        hasContent = false
    }

    private func isHolding(at now: Duration) -> Bool {
        reasons.contains(.editing) || (isScrolled || !reasons.isEmpty) && now >= attributedUntil
    }
}
