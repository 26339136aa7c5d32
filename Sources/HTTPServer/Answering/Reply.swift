/// What is sent to answer a request.
public enum Answer: Sendable {
    /// A response for this request alone.
    case response(Response)
    /// A response that was prepared, and is sent as often as it is asked for.
    case prepared(PreparedResponse)
    /// A response whose body comes in parts, as long as it takes. Boxed, so that the others, and
    /// what carries them, stay small.
    indirect case stream(StreamingResponse)

    /// The status code, 200 to 999.
    public var status: Int {
        switch self {
        case .response(let response): response.status
        case .prepared(let prepared): prepared.response.status
        case .stream(let stream): stream.status
        }
    }

    /// The header fields. A prepared response whose fields are changed becomes one for this request alone.
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
                var response = prepared.response
                response.headers = newValue
                self = .response(response)
            case .stream(var stream):
                stream.headers = newValue
                self = .stream(stream)
            }
        }
    }
}

/// The value that a handler returns: an answer, work that will give one, or a request for the body.
public struct Reply: Sendable {
    /// The handler of a body: all of its bytes, or the reason why they are not there. It is called on the thread that serves
    /// many connections, so it must not block. An error that it throws is a bare 500 and a log line.
    public typealias Read = @Sendable (Result<[UInt8], Refusal>) throws -> Reply

    typealias Recover = @Sendable (any Error) -> Answer

    public enum Content: Sendable {
        /// Sent at once, from the thread on which the handler was called.
        case now(Answer)
        /// Run in a task of its own; the connection waits and the thread serves others. The task
        /// is cancelled when the server stops and its grace period has passed. An error that it throws is a bare 500
        /// and a log line.
        case later(@Sendable () async throws -> Answer)
        /// The same, for an answer that nobody misses once its client has left: its task is cancelled then, too. A client
        /// that only says that it sends no more is sent what its task answers thereupon.
        case waiting(@Sendable () async throws -> Answer)
        /// Run in a task of its own, for a layer that has to ask elsewhere before others go on: then it is as if what it gives
        /// had been returned at once.
        case preceded(@Sendable () async -> Reply)
        /// Called at most once, with the body of the request when all of it has come, or with the reason why it is not taken. It
        /// is not called if the client leaves first; `observed(_:)` reports that. Without this, the server discards the body
        /// without keeping it, and sends the answer after the body ends. A client that sent `Expect: 100-continue` is answered
        /// at once. Boxed, so that the others stay small.
        indirect case reading(Reading)
    }

    /// A request for the body, with the handler of it.
    public struct Reading: Sendable {
        /// The caller whose share of the memory for bodies counts this one; nil where only the limit of all bodies does.
        public var caller: (any Hashable & Sendable)?
        /// The greatest length of the body, in bytes. It can only lower the limit of the server. A longer body is refused with
        /// ``Refusal/bodyTooLarge(limit:)``.
        public var limit: Int
        public var read: Read

        public init(countedFor caller: (any Hashable & Sendable)? = nil, limit: Int = .max, _ read: @escaping Read) {
            (self.caller, self.limit, self.read) = (caller, limit, read)
        }
    }

    /// What became of an answer.
    public struct Ending: Sendable, Equatable {
        /// The status that was sent, or begun to be; nil where the connection ended before there was an answer.
        public let status: Int?
        /// Whether the system has taken all of it. It has not where the client left, or the server cut the connection.
        public let isComplete: Bool

        public init(status: Int?, isComplete: Bool) {
            self.status = status
            self.isComplete = isComplete
        }
    }

    public var content: Content
    /// Answers an error that the work or the reader of the body throws; nil where that is a bare 500 and a log line.
    private(set) var recover: Recover?
    /// Called once, when the answer has ended in whatever way, on the thread that serves many connections: it must
    /// not block.
    var ended: (@Sendable (Ending) -> Void)?

    public init(_ content: Content) {
        self.content = content
    }

    public static func now(_ answer: Answer) -> Reply { Reply(.now(answer)) }
    public static func later(_ work: @escaping @Sendable () async throws -> Answer) -> Reply { Reply(.later(work)) }
    public static func waiting(_ work: @escaping @Sendable () async throws -> Answer) -> Reply { Reply(.waiting(work)) }

    public static func preceded(_ work: @escaping @Sendable () async -> Reply) -> Reply { Reply(.preceded(work)) }

    /// - Parameters:
    ///   - caller: the caller whose share of the memory for bodies counts this one.
    ///   - limit: the greatest length of the body, in bytes.
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
    /// The answer to a request without a body, once it is there.
    public var answer: Answer {
        get async throws { try await answer(reading: .success([])) }
    }

    /// Returns the answer to a request with this body, or with one that is not taken, once it is there.
    public func answer(reading body: Result<[UInt8], Refusal>) async throws -> Answer {
        do {
            switch content {
            case .now(let answer): return answer
            case .later(let work), .waiting(let work): return try await work()
            case .preceded(let work): return try await work().answer(reading: body)
            case .reading(let reading):
                let accepted = body.flatMap { $0.count > reading.limit ? .failure(.bodyTooLarge(limit: reading.limit)) : .success($0) }
                return try await reading.read(accepted).answer(reading: body)
            }
        } catch {
            guard let recover else { throw error }
            return recover(error)
        }
    }

    /// Has the answer changed, also one that comes later.
    public func map(_ change: @escaping @Sendable (Answer) -> Answer) -> Reply {
        var reply = self
        switch content {
        case .now(let answer): reply.content = .now(change(answer))
        case .later(let work): reply.content = .later { change(try await work()) }
        case .waiting(let work): reply.content = .waiting { change(try await work()) }
        case .preceded(let work): reply.content = .preceded { await work().map(change) }
        case .reading(var reading):
            reading.read = { [read = reading.read] in try read($0).map(change) }
            reply.content = .reading(reading)
        }
        if let recover { reply.recover = { change(recover($0)) } }
        return reply
    }

    /// Returns a reply whose errors are answered. The innermost layer that answers an error does so: a reply whose errors are
    /// answered already stays as it is.
    public func recovering(_ answer: @escaping @Sendable (any Error) -> Answer) -> Reply {
        recovering(by: answer)
    }

    func recovering(by answer: Recover?) -> Reply {
        if isRecovering { return self }
        var reply = self
        reply.recover = answer
        return reply
    }

    /// A Boolean value that indicates whether errors are answered.
    package var isRecovering: Bool { recover != nil }

    /// Has `observe` called when the answer has ended, beside those that were asked for before. It is called on the
    /// thread that serves many connections, so it must not block.
    public func observed(_ observe: @escaping @Sendable (Ending) -> Void) -> Reply {
        var reply = self
        reply.ended = { [ended] ending in
            ended?(ending)
            observe(ending)
        }
        return reply
    }
}
