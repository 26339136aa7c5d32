import Dispatch
import Foundation
import Synchronization

/// One request on a thread of its own, with its redirects, whose outcome is told once.
///
/// Who leaves has its outcome at once; the thread notices within a second.
final class Transfer: Sendable {
    typealias Outcome = Result<HTTPClient.Answer, HTTPClient.Failure>

    /// How often one request may be sent elsewhere on its server.
    static let redirectLimit = 3

    private enum State {
        case fresh
        case awaited(CheckedContinuation<Outcome, Never>)
        case ended
    }

    private static let queue = DispatchQueue(label: "http-client", attributes: .concurrent)

    private let url: URL
    private let sizeLimit: Int
    private let state = Mutex(State.fresh)

    init(url: URL, sizeLimit: Int) {
        self.url = url
        self.sizeLimit = sizeLimit
    }

    /// Whether nobody waits any more.
    var isLeft: Bool {
        state.withLock { if case .ended = $0 { true } else { false } }
    }

    /// Asked for once.
    func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard register(continuation) else { return continuation.resume(returning: .failure(.unreachable)) }
                Self.queue.async { self.end(self.perform()) }
            }
        } onCancel: {
            end(.failure(.unreachable))
        }
    }

    /// - Returns: false if it was cancelled before.
    private func register(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        state.withLock { state in
            guard case .fresh = state else { return false }
            state = .awaited(continuation)
            return true
        }
    }

    /// Only the first outcome counts.
    private func end(_ outcome: Outcome) {
        state.withLock { state in
            if case .awaited(let continuation) = state { continuation.resume(returning: outcome) }
            state = .ended
        }
    }

    private func perform() -> Outcome {
        var exchange = Exchange(url: url, sizeLimit: sizeLimit, transfer: self)
        var outcome = exchange.perform()
        for _ in 0..<Self.redirectLimit {
            guard case .success = outcome, let next = exchange.redirect, next.isOnServer(of: url) else { break }
            exchange = Exchange(url: next, sizeLimit: sizeLimit, transfer: self)
            outcome = exchange.perform()
        }
        return outcome
    }
}

extension URL {
    /// Returns a Boolean value that indicates whether this URL has the scheme, host and port of another one (RFC 6454), and names no
    /// user or the same one.
    fileprivate func isOnServer(of other: URL) -> Bool {
        guard let origin, origin == other.origin else { return false }
        return user() == nil && password() == nil || user() == other.user() && password() == other.password()
    }

    private var origin: [String]? {
        guard let scheme = scheme?.lowercased(), let host = host()?.lowercased() else { return nil }
        return [scheme, host, String(port ?? (scheme == "https" ? 443 : 80))]
    }
}
