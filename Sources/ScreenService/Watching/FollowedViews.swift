/// The bounds of what clients follow, with streams and with requests that wait. A view that many follow counts once.
public struct FollowingBounds: Hashable, Sendable {
    /// The number of followed views.
    public var views: Int
    /// The bytes of followed views, with their models and the forms in which they are sent.
    public var bytes: Int
    /// The percentage of both that one caller may use.
    public var callerShare: Int

    public init(views: Int = 8192, bytes: Int = 192 << 20, callerShare: Int = 20) {
        (self.views, self.bytes, self.callerShare) = (views, bytes, callerShare)
    }
}

/// A bound that keeps a client from following a view. It may ask for the view without following it.
public enum FollowingFault: Error, Hashable {
    /// All callers together follow as much as they may.
    case tooMuchInAll
    /// This caller follows as much as it may.
    case tooMuchOfCaller
}

/// The views that are followed and by which callers, within bounds.
///
/// Bytes here are those of the views themselves. A quarter of all bytes is left for the forms in which they are sent, and another for
/// views to grow.
struct FollowedViews {
    struct Usage: Hashable {
        var views = 0
        var bytes = 0
    }

    private struct Entry {
        /// Nil until the view was computed.
        var bytes: Int?
        /// The number of followers by caller.
        var followers: [LimitKey: Int] = [:]
    }

    private let bounds: FollowingBounds
    private var entries: [ViewFeed: Entry] = [:]
    private var callers: [LimitKey: Usage] = [:]
    /// The views that are followed in all.
    private(set) var usage = Usage()

    init(within bounds: FollowingBounds) {
        self.bounds = bounds
    }

    /// The views that a caller follows.
    func usage(of caller: LimitKey) -> Usage { callers[caller] ?? Usage() }

    /// The reason why a caller may not follow a view; nil where it may.
    ///
    /// - Parameters:
    ///   - feed: the feed of the view; nil where it has no followers.
    ///   - bytes: the bytes of the view; nil where they are not known yet.
    func refusal(of caller: LimitKey, to feed: ViewFeed?, bytes: Int?) -> FollowingFault? {
        let entry = feed.flatMap { entries[$0] }
        if entry?.followers[caller] != nil { return nil }
        let bytes = entry?.bytes ?? bytes
        if !admits(usage(of: caller), bytes, share: bounds.callerShare) { return .tooMuchOfCaller }
        return entry == nil && !admits(usage, bytes, share: 100) ? .tooMuchInAll : nil
    }

    private func admits(_ usage: Usage, _ bytes: Int?, share: Int) -> Bool {
        // At least one, also where the share of a small bound is less.
        let views = max(min(1, bounds.views), part(of: bounds.views, share))
        return usage.views < views && usage.bytes + max(bytes ?? 0, 1) <= part(of: newcomerBytes, share)
    }

    /// The bound that keeps a caller from following a view any longer.
    func excess(of caller: LimitKey) -> FollowingFault {
        usage(of: caller).bytes > part(of: newcomerBytes, bounds.callerShare) ? .tooMuchOfCaller : .tooMuchInAll
    }

    /// Adds a follower.
    ///
    /// - Parameter bytes: the bytes of the view if it is cached, which count at once; nil where they are not known yet.
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

    /// Removes a follower.
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

    /// Notes the bytes of a view that was computed.
    ///
    /// - Returns: the callers that may not follow it any more, as it has become too large. They are to be removed.
    mutating func update(_ feed: ViewFeed, bytes: Int) -> Set<LimitKey> {
        guard let followers = entries[feed]?.followers else { return [] }
        let earlier = entries[feed]?.bytes
        let change = bytes - (earlier ?? 0)
        guard change != 0 else { return [] }
        entries[feed]?.bytes = bytes
        usage.bytes += change
        for caller in followers.keys { callers[caller]?.bytes += change }
        // A view that shrinks is never removed, even if it still exceeds a bound.
        guard change > 0 else { return [] }
        let limit = earlier == nil ? newcomerBytes : grownBytes
        if usage.bytes > limit { return Set(followers.keys) }
        let callerLimit = part(of: limit, bounds.callerShare)
        return Set(followers.keys.filter { usage(of: $0).bytes > callerLimit })
    }

    /// The maximum number of bytes of all followed views together when a new one is admitted.
    private var newcomerBytes: Int { bounds.bytes / 2 }

    /// The bytes up to which views that are followed may grow.
    private var grownBytes: Int { bounds.bytes / 4 * 3 }

    private func part(of bound: Int, _ share: Int) -> Int { bound / 100 * share + bound % 100 * share / 100 }
}
