/// The limits of the views that clients follow with streams or waiting requests. A view is counted once, regardless of the number of its
/// followers.
public struct FollowingBounds: Hashable, Sendable {
    /// The maximum number of followed views.
    public var views: Int
    /// The maximum number of bytes of all followed views, including their models and the responses that are prepared from them.
    public var bytes: Int
    /// The percentage of `views` and of `bytes` that one caller may use.
    public var callerShare: Int

    public init(views: Int = 8192, bytes: Int = 192 << 20, callerShare: Int = 20) {
        (self.views, self.bytes, self.callerShare) = (views, bytes, callerShare)
    }
}

/// The reason why a client may not follow a view. The client may still request the view without following it.
public enum FollowingFault: Error, Hashable {
    /// The followed views of all callers together have reached a limit.
    case totalLimitReached
    /// The views that the caller follows have reached a limit.
    case callerLimitReached
}

/// Counts the followed views and their bytes, for all callers together and for each caller, and enforces the limits.
///
/// Only the bytes of the views themselves are counted. A quarter of the maximum is reserved for the responses that are prepared from the
/// views. Another quarter is reserved for views that grow.
struct FollowedViews {
    struct Usage: Hashable {
        var views = 0
        var bytes = 0
    }

    private struct Entry {
        /// The number of bytes of the view, or `nil` if the view has not been computed yet.
        var bytes: Int?
        /// The number of followers of each caller.
        var followers: [LimitKey: Int] = [:]
    }

    private let bounds: FollowingBounds
    private var entries: [ViewFeed: Entry] = [:]
    private var callers: [LimitKey: Usage] = [:]
    /// The number of followed views of all callers together, and their total size in bytes.
    private(set) var usage = Usage()

    init(within bounds: FollowingBounds) {
        self.bounds = bounds
    }

    /// Returns the number of views that a caller follows, and their total size in bytes.
    func usage(of caller: LimitKey) -> Usage { callers[caller] ?? Usage() }

    /// Returns the reason why a caller may not follow a view, or `nil` if the caller may follow the view.
    ///
    /// - Parameters:
    ///   - feed: The feed of the view, or `nil` if the view has no followers.
    ///   - bytes: The number of bytes of the view, or `nil` if the number is not known yet.
    func refusal(of caller: LimitKey, to feed: ViewFeed?, bytes: Int?) -> FollowingFault? {
        let entry = feed.flatMap { entries[$0] }
        if entry?.followers[caller] != nil { return nil }
        let bytes = entry?.bytes ?? bytes
        if !admits(usage(of: caller), bytes, share: bounds.callerShare) { return .callerLimitReached }
        return entry == nil && !admits(usage, bytes, share: 100) ? .totalLimitReached : nil
    }

    private func admits(_ usage: Usage, _ bytes: Int?, share: Int) -> Bool {
        // A caller may follow at least one view, even if the caller's share of a small limit is less than one view.
        let views = max(min(1, bounds.views), part(of: bounds.views, share))
        return usage.views < views && usage.bytes + max(bytes ?? 0, 1) <= part(of: joiningBytes, share)
    }

    /// Returns the reason why a caller may no longer follow a view.
    func excess(of caller: LimitKey) -> FollowingFault {
        usage(of: caller).bytes > part(of: joiningBytes, bounds.callerShare) ? .callerLimitReached : .totalLimitReached
    }

    /// Adds a follower.
    ///
    /// - Parameter bytes: The number of bytes of the view if it is cached, or `nil` if the number is not known yet.
    mutating func add(_ caller: LimitKey, to feed: ViewFeed, bytes: Int? = nil) {
        if entries[feed] == nil {
            entries[feed] = Entry(bytes: bytes)
            usage.views += 1
            usage.bytes += bytes ?? 0
        }
        entries[feed]?.followers[caller, default: 0] += 1
        guard entries[feed]?.followers[caller] == 1 else { return }
        callers[caller, default: Usage()].views += 1
        callers[caller, default: Usage()].bytes += entries[feed]?.bytes ?? 0
    }

    mutating func remove(_ caller: LimitKey, from feed: ViewFeed) {
        guard let count = entries[feed]?.followers[caller] else { return }
        entries[feed]?.followers[caller] = count > 1 ? count - 1 : nil
        guard count == 1 else { return }
        let bytes = entries[feed]?.bytes ?? 0
        callers[caller]?.views -= 1
        callers[caller]?.bytes -= bytes
        if callers[caller]?.views == 0 { callers[caller] = nil }
        guard entries[feed]?.followers.isEmpty == true else { return }
        entries[feed] = nil
        usage.views -= 1
        usage.bytes -= bytes
    }

    /// Records the number of bytes of a computed view.
    ///
    /// - Returns: The callers that may no longer follow the view because it is too large. The calling code must remove their followers.
    mutating func update(_ feed: ViewFeed, bytes: Int) -> Set<LimitKey> {
        guard let followers = entries[feed]?.followers else { return [] }
        let earlier = entries[feed]?.bytes
        let change = bytes - (earlier ?? 0)
        guard change != 0 else { return [] }
        entries[feed]?.bytes = bytes
        usage.bytes += change
        for caller in followers.keys { callers[caller]?.bytes += change }
        // If a view becomes smaller, its followers are kept, even if the view still exceeds a limit.
        guard change > 0 else { return [] }
        let limit = earlier == nil ? joiningBytes : grownBytes
        if usage.bytes > limit { return Set(followers.keys) }
        let callerLimit = part(of: limit, bounds.callerShare)
        return Set(followers.keys.filter { usage(of: $0).bytes > callerLimit })
    }

    /// The maximum total number of bytes of all followed views when a caller begins to follow a view, and when a view is computed for the
    /// first time.
    private var joiningBytes: Int { bounds.bytes / 2 }

    /// The maximum total number of bytes of all followed views when a followed view grows. It is greater than `joiningBytes`, so that
    /// followed views have space to grow.
    private var grownBytes: Int { bounds.bytes / 4 * 3 }

    private func part(of bound: Int, _ share: Int) -> Int { bound / 100 * share + bound % 100 * share / 100 }
}
