public import HTTPServer
public import ScreenService

/// A layer in which everyone is the same caller, for servers that need not know who asks.
public struct FixedCaller: Middleware {
    private let caller: Caller

    public init(_ caller: Caller) {
        self.caller = caller
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) throws -> Reply {
        context.caller = caller
        return try next(context)
    }
}
