@testable import ScreenService

/// Follows a view as a stream does: asks when it is woken, and knows what it was sent last.
final class Follower {
    private let subscription: Subscription
    private var wakes: AsyncStream<Void>.Iterator
    private(set) var version: String?

    init(_ service: ScreenService, _ view: ScreenView, since version: String? = nil) async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.version = version
        self.wakes = wakes.makeAsyncIterator()
        subscription = try await service.follow(view) { wake.yield() }.value
    }

    var feed: ViewFeed { subscription.feed }
    var hasNews: Bool { if case .nothing = subscription.news(since: version) { false } else { true } }

    /// Waits for the next document; nil at the end.
    func next() async -> Document? {
        while true {
            switch subscription.news(since: version) {
            case .document(let news):
                guard let document = try? await news.value else { return nil }
                version = document.version
                return document
            case .nothing: guard await wakes.next() != nil else { return nil }
            case .end: return nil
            }
        }
    }

    /// Waits until it was sent something that says this.
    func document(saying text: String) async -> Document? {
        while let document = await next() {
            if document.text.contains(text) { return document }
        }
        return nil
    }

    func leave() {
        subscription.cancel()
    }
}
