/// The response to a request: complete, prepared, or streamed.
public enum Answer: Sendable {
    /// A response for one request.
    case response(Response)
    /// A prepared response, which can be sent any number of times.
    case prepared(PreparedResponse)
    /// A response whose body is sent in parts. The case is indirect to keep `Answer` small.
    indirect case stream(StreamingResponse)

    /// The status code, 200 to 999.
    public var status: Int {
        switch self {
        case .response(let response): response.status
        case .prepared(let prepared): prepared.response.status
        case .stream(let stream): stream.status
        }
    }

    /// The object that describes the response (``Response/note``).
    public var note: (any AnyObject & Sendable)? {
        switch self {
        case .response(let response): response.note
        case .prepared(let prepared): prepared.response.note
        case .stream(let stream): stream.note
        }
    }

    /// The header fields. Setting the header fields of a prepared response creates another prepared response with the same body.
    public var headers: Headers {
        get {
            switch self {
            case .response(let response): response.headers
            case .prepared(let prepared): prepared.response.headers
            case .stream(let stream): stream.headers
            }
        }
        set {
            switch self {
            case .response(var response):
                response.headers = newValue
                self = .response(response)
            case .prepared(let prepared):
                let response = prepared.response
                let changed = PreparedResponse(status: response.status, headers: newValue, body: prepared.body, note: response.note)
                self = .prepared(changed)
            case .stream(var stream):
                stream.headers = newValue
                self = .stream(stream)
            }
        }
    }
}

/// The return value of a handler: a response, work that computes a response, or a handler of the request body.
///
/// Body handlers and observers are called on a thread that serves many connections, so they must not block. If the work or the body
/// handler throws an error, `recovering(_:)` determines the response. Without `recovering(_:)`, the server logs the error and sends a 500
/// response without details.
public struct Reply: Sendable {
    /// A function that handles the body of a request. Its argument is the complete body, or the reason why the body was rejected.
    public typealias Read = @Sendable (Result<[UInt8], Refusal>) throws -> Reply

    typealias Recover = @Sendable (any Error) -> Answer

    public enum Content: Sendable {
        /// A response that is sent immediately, on the thread on which the handler was called.
        case now(Answer)
        /// Work that runs in a task and returns the response. Meanwhile the connection is suspended, and its thread serves other
        /// connections. When the server stops, the task is cancelled at the end of the grace period.
        case later(@Sendable () async throws -> Answer)
        /// Work that runs in a task and returns the response. The task is cancelled like the task of `later`, and in two more cases:
        /// - The client disconnects, so the response cannot be delivered.
        /// - The client shuts down its sending half but may still read. The server sends the response that the cancelled task returns.
        case waiting(@Sendable () async throws -> Answer)
        /// Work that runs in a task and returns a second reply, which replaces this reply. Middleware uses `deferred` for slow work that
        /// comes before the handler.
        case deferred(@Sendable () async -> Reply)
        /// A handler of the request body. It is called at most once, and not if the client disconnects first. The case is indirect to
        /// keep `Content` small.
        ///
        /// If a request handler returns any other kind of reply, the server discards the body. It responds after the end of the body, or
        /// immediately if the client has sent `Expect: 100-continue`.
        indirect case reading(Reading)
    }

    /// A handler of a request body, with the limits of the body.
    public struct Reading: Sendable {
        /// The caller whose memory limit applies to this body. If it is nil, only the memory limit for all bodies applies.
        public var caller: (any Hashable & Sendable)?
        /// The maximum length of the body, in bytes. A value above the limit of the server has no effect. A longer body is rejected
        /// with ``Refusal/bodyTooLarge(limit:)``.
        public var limit: Int
        public var read: Read

        public init(countedFor caller: (any Hashable & Sendable)? = nil, limit: Int = .max, _ read: @escaping Read) {
            (self.caller, self.limit, self.read) = (caller, limit, read)
        }
    }

    /// The outcome of sending a response.
    public struct Ending: Sendable, Equatable {
        /// The status code of the response, even if only a part of the response was sent; nil if the connection ended before there
        /// was a response.
        public let status: Int?
        /// A Boolean value that indicates whether the system accepted the complete response. It is false if the client disconnected
        /// or the server cut the connection.
        public let isComplete: Bool

        public init(status: Int?, isComplete: Bool) {
            self.status = status
            self.isComplete = isComplete
        }
    }

    public var content: Content
    private(set) var recover: Recover?
    /// A function that calls all observers of the response. It is called once, when the response is complete or has failed.
    var ended: (@Sendable (Ending) -> Void)?

    public init(_ content: Content) {
        self.content = content
    }

    public static func now(_ answer: Answer) -> Reply { Reply(.now(answer)) }
    public static func later(_ work: @escaping @Sendable () async throws -> Answer) -> Reply { Reply(.later(work)) }
    public static func waiting(_ work: @escaping @Sendable () async throws -> Answer) -> Reply { Reply(.waiting(work)) }

    public static func deferred(_ work: @escaping @Sendable () async -> Reply) -> Reply { Reply(.deferred(work)) }

    /// Returns a reply that reads the request body and passes it to a handler, as ``Reading`` describes.
    public static func reading(
        countedFor caller: (any Hashable & Sendable)? = nil, limit: Int = .max, _ read: @escaping Read
    ) -> Reply {
        Reply(.reading(Reading(countedFor: caller, limit: limit, read)))
    }

    public static func response(_ response: Response) -> Reply { .now(.response(response)) }
    public static func prepared(_ response: PreparedResponse) -> Reply { .now(.prepared(response)) }
    public static func stream(_ response: StreamingResponse) -> Reply { .now(.stream(response)) }
}

extension Reply {
    /// The response that this reply gives to a request without a body.
    public var answer: Answer {
        get async throws { try await answer(reading: .success([])) }
    }

    /// Returns the response that this reply gives to a request with this body.
    public func answer(reading body: Result<[UInt8], Refusal>) async throws -> Answer {
        do {
            switch content {
            case .now(let answer): return answer
            case .later(let work), .waiting(let work): return try await work()
            case .deferred(let work): return try await work().answer(reading: body)
            case .reading(let reading):
                let accepted = body.flatMap { $0.count > reading.limit ? .failure(.bodyTooLarge(limit: reading.limit)) : .success($0) }
                return try await reading.read(accepted).answer(reading: body)
            }
        } catch {
            guard let recover else { throw error }
            return recover(error)
        }
    }

    /// Returns a reply that applies `change` to the response, even if the response is computed later.
    public func map(_ change: @escaping @Sendable (Answer) -> Answer) -> Reply {
        flatMap { .now(change($0)) }
    }

    /// Returns a reply that replaces the response with the reply that `change` returns, even if the response is computed later. A response
    /// to an error stays as it is if its change takes work.
    package func flatMap(_ change: @escaping @Sendable (Answer) -> Reply) -> Reply {
        var reply = self
        switch content {
        case .now(let answer): reply.content = change(answer).content
        case .later(let work): reply.content = .later { try await change(try await work()).answer }
        case .waiting(let work): reply.content = .waiting { try await change(try await work()).answer }
        case .deferred(let work): reply.content = .deferred { await work().flatMap(change) }
        case .reading(var reading):
            reading.read = { [read = reading.read] in try read($0).flatMap(change) }
            reply.content = .reading(reading)
        }
        if let recover {
            reply.recover = { error in
                let answer = recover(error)
                if case .now(let changed) = change(answer).content { return changed }
                return answer
            }
        }
        return reply
    }

    /// A function that runs work.
    public typealias Run = @Sendable (_ work: @Sendable () async throws -> Answer) async throws -> Answer

    /// Returns a reply that runs its work with `run`, and its work that waits for something new (``Content/waiting(_:)``) with `wait`. This
    /// applies also to the work that follows a body or deferred work.
    public func running(_ run: @escaping Run, waiting wait: @escaping Run) -> Reply {
        switch content {
        case .now: return self
        case .later(let work): return replacing(.later { try await run(work) })
        case .waiting(let work): return replacing(.waiting { try await wait(work) })
        case .deferred(let work): return replacing(.deferred { await work().running(run, waiting: wait) })
        case .reading(var reading):
            reading.read = { [read = reading.read] in try read($0).running(run, waiting: wait) }
            return replacing(.reading(reading))
        }
    }

    /// Returns a reply with other content, the same observers, and the same conversion of errors.
    public func replacing(_ content: Content) -> Reply {
        var reply = self
        reply.content = content
        return reply
    }

    /// Returns a reply that turns errors into responses with `answer`. A reply that already has such a function keeps this function.
    public func recovering(_ answer: @escaping @Sendable (any Error) -> Answer) -> Reply {
        recovering(by: answer)
    }

    func recovering(by answer: Recover?) -> Reply {
        if isRecovering { return self }
        var reply = self
        reply.recover = answer
        return reply
    }

    /// A Boolean value that indicates whether the reply has a function that turns errors into responses.
    package var isRecovering: Bool { recover != nil }

    /// Returns a reply with an additional observer, which is called when the response is complete or has failed.
    public func observed(_ observe: @escaping @Sendable (Ending) -> Void) -> Reply {
        var reply = self
        reply.ended = { [ended] ending in
            ended?(ending)
            observe(ending)
        }
        return reply
    }
}
