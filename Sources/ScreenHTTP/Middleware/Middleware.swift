public import HTTPServer

/// A layer around the answering of requests.
///
/// It can answer by itself, change what is known of a request before it is passed on, change the reply
/// (``Reply/map(_:)``, also for what comes later), and observe the end of the answer (``Reply/observed(_:)``). It is
/// called on the thread that serves many connections, so it must not block.
///
///     struct ServerName: Middleware {
///         func reply(to context: RequestContext, next: @escaping Next) throws -> Reply {
///             try next(context).map { answer in
///                 var answer = answer
///                 answer.headers.append("Server", "garden")
///                 return answer
///             }
///         }
///     }
///
/// Requests that the server refuses by itself pass through it as well: ``Request/refusal``.
public protocol Middleware: Sendable {
    typealias Next = @Sendable (RequestContext) throws -> Reply

    /// - Parameter next: what all layers within this one make of the request.
    /// - Throws: what is wrong, for a layer around this one to answer.
    func reply(to context: RequestContext, next: @escaping Next) throws -> Reply
}

extension Sequence<any Middleware> {
    /// These layers around `core`, the first outermost.
    func around(_ core: @escaping Middleware.Next) -> Middleware.Next {
        reversed().reduce(core) { next, layer in { try layer.reply(to: $0, next: next) } }
    }
}
