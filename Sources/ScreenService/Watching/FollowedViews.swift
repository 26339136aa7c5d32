/// The limits of the views that clients follow with streams or waiting requests. A view with several followers counts as one view.
public struct FollowingBounds: Hashable, Sendable {
    /// The maximum number of followed views.
    public var views: Int
    /// The maximum number of bytes of all followed views, their models and their prepared responses.
    public var bytes: Int
    /// The percentage of `views` and of `bytes` that one caller may use.
    public var callerShare: Int
    /// The maximum number of streams and waiting requests of one caller.
    public var followersPerCaller: Int

    public init(views: Int = 8192, bytes: Int = 192 << 20, callerShare: Int = 20, followersPerCaller: Int = 2048) {
        (self.views, self.bytes, self.callerShare) = (views, bytes, callerShare)
        self.followersPerCaller = followersPerCaller
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
/// The counted bytes of a view are ``ComputedView/followedCost``. Half of ``FollowingBounds/bytes`` is available to new views, and a
/// quarter is reserved for the growth of followed views. The last quarter is reserved for the bodies of prepared responses, which are not
/// counted here.
struct FollowedViews {
    struct Usage: Hashable {
        var views = 0
        var bytes = 0
        /// The number of streams and waiting requests.
        var followers = 0
    }

    private struct Entry {
        /// The number of bytes of the view, or `nil` before its first computation.
        var bytes: Int?
        var followerCounts: [LimitKey: Int] = [:]
    }

    private let bounds: FollowingBounds
    private var entries: [ViewFeed: Entry] = [:]
    private var callers: [LimitKey: Usage] = [:]
    /// The usage of all callers together.
    private(set) var usage = Usage()
    /// The number of followers of all views together.
    private(set) var followerCount = 0

    init(within bounds: FollowingBounds) {
        self.bounds = bounds
    }

    func usage(of caller: LimitKey) -> Usage { callers[caller] ?? Usage() }

    /// Returns the caller of all followers of a view, or `nil` if several callers follow it.
    func onlyCaller(of feed: ViewFeed) -> LimitKey? {
        guard let counts = entries[feed]?.followerCounts, counts.count == 1 else { return nil }
        return counts.first?.key
    }

    /// Returns the reason why a caller may not follow a view, or `nil` if the caller may follow it. `feed` is `nil` if the view has no
    /// followers. `bytes` is `nil` before the first computation of the view.
    func refusal(of caller: LimitKey, to feed: ViewFeed?, bytes: Int?) -> FollowingFault? {
        let entry = feed.flatMap { entries[$0] }
        if usage(of: caller).followers >= bounds.followersPerCaller { return .callerLimitReached }
        if entry?.followerCounts[caller] != nil { return nil }
        let bytes = entry?.bytes ?? bytes
        if !admits(usage(of: caller), bytes, share: bounds.callerShare) { return .callerLimitReached }
        return entry == nil && !admits(usage, bytes, share: 100) ? .totalLimitReached : nil
    }

    private func admits(_ usage: Usage, _ bytes: Int?, share: Int) -> Bool {
        // A caller may follow one view, even if the caller's share of `bounds.views` is less than one.
        let views = max(min(1, bounds.views), part(of: bounds.views, share))
        return usage.views < views && usage.bytes + max(bytes ?? 0, 1) <= part(of: joiningBytes, share)
    }

    /// Returns the reason why a caller may no longer follow a view.
    func excess(of caller: LimitKey) -> FollowingFault {
        usage(of: caller).bytes > part(of: joiningBytes, bounds.callerShare) ? .callerLimitReached : .totalLimitReached
    }

    /// Adds a follower. `bytes` is `nil` before the first computation of the view.
    mutating func add(_ caller: LimitKey, to feed: ViewFeed, bytes: Int? = nil) {
        if entries[feed] == nil {
            entries[feed] = Entry(bytes: bytes)
            usage.views += 1
            usage.bytes += bytes ?? 0
        }
        followerCount += 1
        entries[feed]?.followerCounts[caller, default: 0] += 1
        usage.followers += 1
        callers[caller, default: Usage()].followers += 1
        guard entries[feed]?.followerCounts[caller] == 1 else { return }
        callers[caller]?.views += 1
        callers[caller]?.bytes += entries[feed]?.bytes ?? 0
    }

    mutating func remove(_ caller: LimitKey, from feed: ViewFeed) {
        guard let count = entries[feed]?.followerCounts[caller] else { return }
        followerCount -= 1
        entries[feed]?.followerCounts[caller] = count > 1 ? count - 1 : nil
        usage.followers -= 1
        callers[caller]?.followers -= 1
        guard count == 1 else { return }
        let bytes = entries[feed]?.bytes ?? 0
        callers[caller]?.views -= 1
        callers[caller]?.bytes -= bytes
        if callers[caller]?.views == 0 { callers[caller] = nil }
        guard entries[feed]?.followerCounts.isEmpty == true else { return }
        entries[feed] = nil
        usage.views -= 1
        usage.bytes -= bytes
    }

    /// Records the bytes of a computed view. Returns the callers for whom the view is too large. The calling code must remove these callers
    /// from the followers of the view.
    mutating func update(_ feed: ViewFeed, bytes: Int) -> Set<LimitKey> {
        guard let followers = entries[feed]?.followerCounts else { return [] }
        let earlier = entries[feed]?.bytes
        let change = bytes - (earlier ?? 0)
        guard change != 0 else { return [] }
        entries[feed]?.bytes = bytes
        usage.bytes += change
        for caller in followers.keys { callers[caller]?.bytes += change }
        // A view that becomes smaller keeps its followers.
        guard change > 0 else { return [] }
        let limit = earlier == nil ? joiningBytes : grownBytes
        if usage.bytes > limit { return Set(followers.keys) }
        let callerLimit = part(of: limit, bounds.callerShare)
        return Set(followers.keys.filter { usage(of: $0).bytes > callerLimit })
    }

    /// The maximum total size in bytes of all followed views. This maximum is enforced when a caller begins to follow a view, and when a
    /// followed view is computed for the first time.
    private var joiningBytes: Int { bounds.bytes / 2 }

    /// The maximum total size in bytes of all followed views, which is enforced when a followed view grows after its first computation. It
    /// is larger than ``joiningBytes``, so that followed views can grow when no new view can be followed.
    private var grownBytes: Int { bounds.bytes / 4 * 3 }

    private func part(of bound: Int, _ share: Int) -> Int { bound / 100 * share + bound % 100 * share / 100 }
}
