import Glibc
import ScreenClient

/// The state of the connection of a screen, for the user.
struct ConnectionState: Equatable {
    /// An estimate of whether the content is current.
    enum Freshness: Equatable {
        case current
        case outdated
        case offline
    }

    let connection: LiveScreen.Connection
    let isStale: Bool
    let isStored: Bool
    /// The message of the failure that stopped the client, or that makes the client wait before its next attempt.
    let problem: String?

    /// The value is `nil` while the client connects.
    var freshness: Freshness? {
        switch connection {
        case .streaming, .polling: isStale ? .outdated : .current
        case .waiting, .failed: .offline
        case .idle, .requesting, .paused: nil
        }
    }

    var text: String {
        let text =
            switch connection {
            case .idle: "not followed"
            case .requesting: "connecting …"
            case .streaming: "live"
            case .polling: "live, by waiting requests"
            case .waiting(let until): "offline, tries again by \(Self.time(of: until))"
            case .failed: "stopped"
            case .paused: "paused"
            }
        let stale = isStale ? ", outdated" : isStored ? ", stored" : ""
        return text + stale + (problem.map { ": \($0)" } ?? "")
    }

    private static func time(of instant: ContinuousClock.Instant) -> String {
        var (seconds, parts) = (Glibc.time(nil) + Int(((instant - .now) / .seconds(1)).rounded(.up)), tm())
        localtime_r(&seconds, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension ConnectionState {
    @MainActor init(of screen: LiveScreen, _ transport: ObservedTransport) {
        let cause = transport.viewCause
        let problem = screen.problem.map { if case .unreachable = $0, let cause { cause } else { $0.message(cause: cause) } }
        self.init(connection: screen.connection, isStale: screen.isStale, isStored: screen.isStored, problem: problem)
    }
}

/// Reports important changes of the connection, each as a line of text.
struct ConnectionReport {
    private var freshness = ConnectionState.Freshness.current

    /// Returns a line for standard error if the content went offline, became outdated, or is current again.
    mutating func line(for state: ConnectionState) -> String? {
        guard let new = state.freshness, new != freshness else { return nil }
        freshness = new
        return switch new {
        case .current: "the screen is current again"
        case .outdated: "the screen can be outdated, because the server cannot refresh it"
        case .offline: state.text
        }
    }
}
