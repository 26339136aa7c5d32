/// What is sent to answer a request.
public enum Answer: Sendable {
    /// A response for this request alone.
    case response(Response)
    /// A response that was prepared, and is sent as often as it is asked for.
    case prepared(PreparedResponse)
    /// A response whose body comes in parts, as long as it takes. Boxed, so that the others, and
    /// what carries them, stay small.
    indirect case stream(StreamingResponse)
}

/// What a handler returns: an answer, or work that will give it one.
public enum Reply: Sendable {
    /// Sent at once, from the thread on which the handler was called.
    case now(Answer)
    /// Run in a task of its own; the connection waits and the thread serves others. The task
    /// is cancelled when the server stops and its grace period has passed.
    case later(@Sendable () async -> Answer)
    /// The same, for an answer that nobody misses once its client has left: its task is cancelled then, too. A client
    /// that only says that it sends no more is sent what its task answers thereupon.
    case waiting(@Sendable () async -> Answer)

    public static func response(_ response: Response) -> Reply { .now(.response(response)) }
    public static func prepared(_ response: PreparedResponse) -> Reply { .now(.prepared(response)) }
    public static func stream(_ response: StreamingResponse) -> Reply { .now(.stream(response)) }
}
