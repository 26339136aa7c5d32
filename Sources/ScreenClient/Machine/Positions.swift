/// The position tokens that a client sends with its requests. They keep a replica from responding with a state that does not include the
/// client's actions.
package struct Positions: Hashable, Sendable {
    /// The minimum time for which the client sends a token after it has received the token. During this time, another replica may not know
    /// the commit of the action yet.
    static let replicaBound = Duration.seconds(3)
    /// The maximum number of tokens. If there are more, the oldest token is removed. Few tokens accumulate, because only the response
    /// to an action adds a token, and this token replaces the tokens that were sent with the action.
    private static let limit = 16

    struct Entry: Hashable {
        let token: String
        var learned: Duration
    }

    /// The tokens in the order in which they were learned.
    var entries: [Entry] = []
    var bound = replicaBound

    /// The tokens to send with each request.
    package var tokens: [String] { entries.map(\.token) }

    static func isValid(_ token: String) -> Bool {
        (1...100).contains(token.utf8.count) && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    }

    /// Adds the token of a response. The new token replaces the tokens that were sent with the request, because it identifies a later
    /// commit.
    mutating func learn(_ token: String, replacing sent: [String], at now: Duration) {
        guard Self.isValid(token) else { return }
        let learned = entries.first { $0.token == token }?.learned ?? now
        entries.removeAll { $0.token == token || sent.contains($0.token) }
        entries.append(Entry(token: token, learned: learned))
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// Extends the minimum time for which tokens are sent, because a shared cache may return stored responses for some time.
    ///
    /// nginx refreshes an expired response in the background, and may serve the expired response meanwhile. With the configuration in
    /// `Operations.md`, a response is served for at most twice its `s-maxage` and ten more seconds. Three seconds are added because nginx
    /// counts whole seconds.
    mutating func noteCaching(_ maxAge: Duration) {
        if maxAge > .zero { bound = max(bound, Self.replicaBound + min(maxAge, .seconds(3600)) * 2 + .seconds(13)) }
    }

    /// Removes the tokens that were sent with a request whose document has arrived. A token is kept if the client received it less than the
    /// minimum time ago.
    mutating func settle(_ sent: [String], at now: Duration) {
        entries.removeAll { sent.contains($0.token) && now - $0.learned >= bound }
    }
}
