/// Decides which changes a list view performs at once, and which it holds.
///
/// Changes of other users are held while a finger scrolls, while a field is edited, and while the list is paused. Held changes are
/// performed as one. If a change only updates cells in place, it moves no row. Such a change is performed at once while the list is
/// scrolled or edited. A snapshot is also performed at once in these cases. But if earlier changes are held, later changes are held with
/// them. Changes that the user made are never held.
public struct HeldChanges: Sendable {
    /// A reason to hold changes.
    public enum Reason: Hashable, Sendable {
        /// A finger scrolls the list.
        case scrolling
        /// A field in the list is edited.
        case editing
        /// The user has paused the list. All changes of other users are held, including updates in place.
        case pause
    }

    private enum Expectation {
        case none, open
        case until(Duration)
    }

    /// The first change that arrives within this duration after a request of the user is treated as the result of the request.
    static let attributionTime: Duration = .seconds(2)

    private var reasons: Set<Reason> = []
    private var held: ListUpdate?
    /// The number of changes that are held.
    public private(set) var count = 0
    /// The number of the user's requests in progress.
    private var requests = 0
    private var expectation = Expectation.none

    /// Creates a state in which nothing is held.
    public init() {}

    /// Adds a change. Returns the change to perform now, together with all changes that were held, or `nil` if the change is held.
    ///
    /// - Parameter now: The time since a fixed start.
    public mutating func take(_ update: ListUpdate, at now: Duration) -> ListUpdate? {
        let isHeld = mustHold(update, at: now)
        held = held?.merged(with: update) ?? update
        count += 1
        return isHeld ? nil : release()
    }

    /// Holds changes for a reason, until the reason ends.
    public mutating func begin(_ reason: Reason) { reasons.insert(reason) }

    /// Ends a reason to hold changes. Returns the held changes as one, or `nil` if no changes are held or they must still be held for a
    /// different reason.
    public mutating func end(_ reason: Reason) -> ListUpdate? {
        reasons.remove(reason)
        return releaseIfFree()
    }

    /// Begins a request of the user, such as an action. Returns the held changes as one, or `nil` if no changes are held or the list is
    /// paused.
    public mutating func beginRequest() -> ListUpdate? {
        requests += 1
        expectation = .open
        return releaseIfFree()
    }

    /// Ends a request of the user.
    public mutating func endRequest(at now: Duration) {
        requests -= 1
        if requests == 0, case .open = expectation { expectation = .until(now + Self.attributionTime) }
    }

    /// Releases all held changes, and returns them as one change. Returns `nil` if no changes are held.
    public mutating func release() -> ListUpdate? {
        defer { (held, count) = (nil, 0) }
        return held
    }

    private mutating func releaseIfFree() -> ListUpdate? {
        let isFree = reasons.isEmpty || (requests > 0 && !reasons.contains(.pause))
        return isFree ? release() : nil
    }

    private mutating func mustHold(_ update: ListUpdate, at now: Duration) -> Bool {
        defer { expectation = .none }
        if requests > 0 { return false }
        switch expectation {
        case .open: return false
        case .until(let end) where now < end: return false
        case .until, .none: break
        }
        if reasons.contains(.pause) || held != nil { return true }
        return !reasons.isEmpty && update.movesRows
    }
}

extension ListUpdate {
    /// A Boolean value that indicates whether the update has stages that insert, delete or move sections or cells.
    fileprivate var movesRows: Bool {
        guard case .stages(let steps) = kind else { return false }
        return steps.contains { step in
            var others = step.stage
            (others.updateCells, others.updateSections) = ([], [])
            return !others.isEmpty
        }
    }
}
