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
/// ``FollowingBounds``.
public struct CallerLimits: Sendable {
    /// The limits of one caller.
    public struct Bounds: Hashable, Sendable {
        /// The maximum number of requests per second, on average. Twice as many are admitted at once.
        public var requestsPerSecond: Int
        /// The maximum number of requests whose responses are computed at the same time. Further requests wait in a line of the caller.
        public var concurrentRequests: Int
        /// The maximum number of waiting requests.
        public var waitingRequests: Int

        public init(requestsPerSecond: Int = 1000, concurrentRequests: Int = 4, waitingRequests: Int = 256) {
            self.requestsPerSecond = requestsPerSecond
            self.concurrentRequests = concurrentRequests
            self.waitingRequests = waitingRequests
        }
    }

    /// The layer for requests whose caller is not verified yet. It must come after the layer that finds the client's address, and before the
    /// authentication. It limits the credentials of one address that are being verified, and the rate of the rejected ones.
    public let beforeAuthentication: any Middleware
    /// The layer for requests whose caller is known. It must come after the authentication.
    public let afterAuthentication: any Middleware

    /// Creates the layers. `patience` is the maximum time that a request waits until the computation of its response begins.
    public init(_ bounds: Bounds = Bounds(), patience: Duration = .seconds(10)) {
        self.init(bounds, patience: patience, pause: { try? await Task.sleep(for: .seconds(1)) })
    }

    init(
        _ bounds: Bounds, patience: Duration = .seconds(10), now: @escaping @Sendable () -> Int64 = RequestRate.uptime,
        pause: @escaping @Sendable () async -> Void
    ) {
        func turns() -> CallerTurns {
            CallerTurns(limit: bounds.concurrentRequests, waitingLimit: bounds.waitingRequests, patience: patience)
        }
        func rate() -> RequestRate { RequestRate(perSecond: bounds.requestsPerSecond, now: now) }
        let rejection = PausedRejection(requestsPerSecond: bounds.requestsPerSecond, pause: pause)
        beforeAuthentication = CredentialLimit(rejected: rate(), turns: turns(), rejection: rejection)
        afterAuthentication = RequestLimit(rate: rate(), turns: turns(), rejection: rejection)
    }
}

/// The reason why a request is rejected because of the requests that its caller has sent before.
enum CallerFault: Error, Hashable {
    case tooManyRequests(perSecond: Int)
    case tooManyWaiting
    case waitedTooLong
}

/// The rejection of requests over the limit of requests per second.
private struct PausedRejection: Sendable {
    let requestsPerSecond: Int
    let pause: @Sendable () async -> Void

    func reply(to context: consuming RequestContext) -> Reply {
        let fault = CallerFault.tooManyRequests(perSecond: requestsPerSecond)
        let answer = context.rejection(by: fault.error(underKey: context.hasIdempotencyKey))
        return .waiting { [pause] in
            await pause()
            return answer
        }
    }
}

private struct CredentialLimit: Middleware {
    let rejected: RequestRate
    let turns: CallerTurns
    let rejection: PausedRejection

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        // Without credentials there is nothing to verify.
        guard context.request.headers["Authorization"] != nil else { return next(context) }
        let address = context.limitKey
        if rejected.isReached(by: address) { return rejection.reply(to: context) }
        let hasKey = context.hasIdempotencyKey
        let reply = next(context)
        guard case .deferred(let verify) = reply.content else { return reply }
        return reply.replacing(
            .deferred { [turns, rejected] in
                do {
                    let verified = try await turns.run(for: address) { await verify() }
                    if case .now(let answer) = verified.content, answer.status == 401 { _ = rejected.admits(address) }
                    return verified
                } catch {
                    let fault = CallerFault(error).error(underKey: hasKey)
                    return .later { throw fault }
                }
            }
        )
    }
}

private struct RequestLimit: Middleware {
    let rate: RequestRate
    let turns: CallerTurns
    let rejection: PausedRejection

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let caller = context.limitKey
        guard rate.admits(caller) else { return rejection.reply(to: context) }
        let hasKey = context.hasIdempotencyKey
        return next(context).running { [turns] work in
            do {
                return try await turns.run(for: caller, work)
            } catch let refusal as CallerTurns.Refusal {
                throw CallerFault(refusal).error(underKey: hasKey)
            }
        }
    }
}

extension CallerFault {
    fileprivate init(_ error: any Error) {
        self = if case CallerTurns.Refusal.waitedTooLong = error { .waitedTooLong } else { .tooManyWaiting }
    }

    /// Returns the error to report. An earlier request with the same idempotency key may have performed the action.
    fileprivate func error(underKey hasKey: Bool) -> any Error {
        hasKey ? ActionFailure(cause: self, outcome: .unknown) : self
    }
}

extension RequestContext {
    /// A Boolean value that indicates whether the request asks for an action with an idempotency key.
    fileprivate var hasIdempotencyKey: Bool { isOfAction && request.headers["Idempotency-Key"] != nil }
}
