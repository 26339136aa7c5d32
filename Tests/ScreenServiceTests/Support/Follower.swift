@testable import ScreenService

/// A follower of a view, like a stream. It stores the version that it received last.
final class Follower {
    /// The content of an event that a stream would send.
    enum Event {
        case document(Document)
        case current, stale
    }

    private let subscription: Subscription
    private var wakes: AsyncStream<Void>.Iterator
    private(set) var version: String?
    private var freshness = Freshness.unknown

    convenience init(_ service: ScreenService, _ view: ScreenView, since version: String? = nil) async throws {
        try await self.init(of: view, in: service.feeds, since: version)
    }

    init(of view: ScreenView, in feeds: Feeds, since version: String? = nil) async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.version = version
        self.wakes = wakes.makeAsyncIterator()
        subscription = try await feeds.follow(view) { wake.yield() }.value
    }

    var feed: ViewFeed { subscription.feed }
    /// A Boolean value that indicates whether a document is available for the follower or the subscription has ended.
    var hasNews: Bool {
        switch subscription.news(since: version, reported: freshness) {
        case .nothing, .current, .stale: false
        case .document, .end: true
        }
    }

    /// A Boolean value that indicates whether no event is available for the follower at present.
    var isSilent: Bool {
        if case .nothing = subscription.news(since: version, reported: freshness) { true } else { false }
    }

    /// Waits for the next event. Returns `nil` if the subscription ends.
    func event() async -> Event? {
        while true {
            switch subscription.news(since: version, reported: freshness) {
            case .document(let news):
                guard let document = try? await news.value else { return nil }
                (version, freshness) = (document.version, .current)
                return .document(document)
            case .current:
                freshness = .current
                return .current
            case .stale:
                freshness = .stale
                return .stale
            case .nothing: guard await wakes.next() != nil else { return nil }
            case .end: return nil
            }
        }
    }

    /// Waits for the next document. Returns `nil` if the subscription ends.
    func next() async -> Document? {
        while let event = await event() {
            if case .document(let document) = event { return document }
        }
        return nil
    }

    /// Waits for a document that contains a text. Returns `nil` if the subscription ends.
    func document(saying text: String) async -> Document? {
        while let document = await next() {
            if document.text.contains(text) { return document }
        }
        return nil
    }

    /// Waits for the next event. Returns a Boolean value that indicates whether the event reports that the version is current.
    func isReportedCurrent() async -> Bool {
        if case .current = await event() { true } else { false }
    }

    /// Waits for the next event. Returns a Boolean value that indicates whether the event reports that the version may be stale.
    func isReportedStale() async -> Bool {
        if case .stale = await event() { true } else { false }
    }

    /// Waits for the next event. Returns a Boolean value that indicates whether the event is a document that contains a text.
    func isSentDocument(saying text: String) async -> Bool {
        if case .document(let document) = await event() { document.text.contains(text) } else { false }
    }

    func leave() {
        subscription.cancel()
    }
}
