import HTTPServer
import ScreenService
import ScreenWire

/// Layers that limit what one caller can make the server do: the requests per second, and the requests whose responses are being computed.
/// A caller is a verified user, else the client's address.
///
/// A request over the limit of requests per second is rejected after a pause, because a rejection alone costs almost as much as a cached
/// response. A caller that ignores rejections thus sends at most one request per pause on each connection.
///
/// Requests that are answered from a cache have no limit but the rate. Streams and requests that wait for changes are limited by
/// `FollowingBounds`.
public struct CallerLimits: Sendable {
    /// The limits of one caller.
    public struct Bounds: Hashable, Sendable {
        /// The maximum number of requests per second, on average. Twice as many are admitted at once.
        public var requestsPerSecond: Int
        /// The maximum number of requests whose responses are computed at the same time, and of actions. Further ones wait in a line of the
        /// caller.
        public var concurrentRequests: Int
        /// The maximum number of waiting requests.
        public var waitingRequests: Int

        public init(requestsPerSecond: Int = 1000, concurrentRequests: Int = 4, waitingRequests: Int = 256) {
            self.requestsPerSecond = requestsPerSecond
            self.concurrentRequests = concurrentRequests
            self.waitingRequests = waitingRequests
        }
    }

    /// The layer for requests whose caller is not verified yet. It must come after the layer that finds the client's address, and before
    /// the authentication. It limits the credentials of one address that are being verified, and the rate of the rejected ones.
    public let beforeAuthentication: any Middleware
    /// The layer for requests whose caller is known. It must come after the authentication.
    public let afterAuthentication: any Middleware

    /// Creates the layers. `patience` is the maximum time that a request waits until the computation of its response begins.
    public init(_ bounds: Bounds = Bounds(), patience: Duration = .seconds(10)) {
        // The pauses differ, so that the next requests of many connections do not arrive at the same time.
        self.init(bounds, patience: patience, pause: { try? await Task.sleep(for: .milliseconds(.random(in: 500...1500))) })
    }

    init(
        _ bounds: Bounds, patience: Duration = .seconds(10), now: @escaping @Sendable () -> Int64 = RequestRate.uptime,
        pause: @escaping @Sendable () async -> Void
    ) {
        func turns() -> CallerTurns {
            CallerTurns(limit: bounds.concurrentRequests, waitingLimit: bounds.waitingRequests) { try await Task.sleep(for: patience) }
        }
        func rate() -> RequestRate { RequestRate(perSecond: bounds.requestsPerSecond, now: now) }
        let rejection = PausedRejection(requestsPerSecond: bounds.requestsPerSecond, pause: pause)
        beforeAuthentication = CredentialLimit(rejected: rate(), turns: turns(), rejection: rejection)
        afterAuthentication = RequestLimit(rate: rate(), actions: turns(), others: turns(), rejection: rejection)
    }
}

/// The reason why a request is rejected because of the requests that its caller has sent before.
enum CallerFault: Error, Hashable {
    case tooManyRequests(perSecond: Int)
    case tooManyWaiting
    case waitedTooLong
}

/// The rejection of requests over a limit of requests per second. ``Middleware/around(_:)`` makes the response.
private struct PausedRejection: Sendable {
    let requestsPerSecond: Int
    let pause: @Sendable () async -> Void

    var reply: Reply {
        .waiting { [self] in
            await pause()
            throw CallerFault.tooManyRequests(perSecond: requestsPerSecond)
        }
    }
}

/// The limit of credentials. Credentials that have been verified before are accepted at once, so they are not limited.
private struct CredentialLimit: Middleware {
    let rejected: RequestRate
    let turns: CallerTurns
    let rejection: PausedRejection

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let address = LimitKey(of: context.clientAddress)
        let reply = next(context)
        switch reply.content {
        case .now(let answer) where answer.status == 401: return rejected.admits(address) ? reply : rejection.reply
        case .deferred(let verify): return rejected.isReached(by: address) ? rejection.reply : reply.replacing(limited(verify, address))
        default: return reply
        }
    }

    private func limited(_ verify: @escaping @Sendable () async -> Reply, _ address: LimitKey) -> Reply.Content {
        .deferred {
            do {
                let verified = try await turns.run(for: address) { await verify() }
                if case .now(let answer) = verified.content, answer.status == 401 { _ = rejected.admits(address) }
                return verified
            } catch {
                return .later { throw CallerFault(error) }
            }
        }
    }
}

/// The limit of requests.
private struct RequestLimit: Middleware {
    let rate: RequestRate
    /// The turns of actions. They are separate, because actions may wait for a database whose data can still be read.
    let actions: CallerTurns
    let others: CallerTurns
    let rejection: PausedRejection

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let (caller, turns) = (context.limitKey, context.isOfAction ? actions : others)
        guard rate.admits(caller) else { return rejection.reply }
        let reply = next(context)
        if case .now = reply.content { return reply }
        return reply.running { work in
            try await CallerFault.convertingRefusals { try await turns.run(for: caller, work) }
        } waiting: { work in
            try await CallerFault.convertingRefusals {
                try await CallerTurn.$current.withValue(turns.turn(of: caller), operation: work)
            }
        }
    }
}

extension CallerFault {
    fileprivate init(_ error: any Error) {
        self = if case CallerTurns.Refusal.waitedTooLong = error { .waitedTooLong } else { .tooManyWaiting }
    }

    /// Runs work, and throws a ``CallerFault`` if the work was not begun.
    fileprivate static func convertingRefusals(_ work: () async throws -> Answer) async throws -> Answer {
        do { return try await work() } catch let refusal as CallerTurns.Refusal { throw CallerFault(refusal) }
    }
}
