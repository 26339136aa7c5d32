public import HTTPServer

/// A layer in which requests that the server refuses by itself become problems.
public struct RefusedRequests: Middleware {
    public init() {}

    public func reply(to context: consuming RequestContext, next: @escaping Next) throws -> Reply {
        if let refusal = context.request.refusal { throw Problem(refusal) }
        return try next(context)
    }
}
