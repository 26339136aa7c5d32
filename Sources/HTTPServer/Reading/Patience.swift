/// Says how long a connection may stay at each step of a request.
///
/// The library's own timeout counts from the last byte, so a client that sends one byte a
/// second outlives it; these count from the beginning.
struct Patience: Sendable {
    /// The steps at which it is the client's turn.
    enum Step {
        case opening, idle, head, body
    }

    /// How long one connection too many has to say what it is told that there is no room for.
    static let overLimit = Duration.seconds(1)

    var idle: Duration
    var head: Duration
    var body: Duration

    /// How long that step may last. A connection's first request begins when it is accepted,
    /// each later one with its request line; head and body count from there.
    func limit(_ step: Step) -> Duration {
        switch step {
        case .opening, .head: head
        case .idle: idle
        case .body: body
        }
    }

    var shortest: Duration { min(idle, head, body) }
}
