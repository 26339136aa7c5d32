import HTTPServer
import ScreenService

/// All routes. What is asked for most comes first, and a pattern of any path last.
struct RouteTable: Sendable {
    let routes: [Route]
    /// The languages that the screens speak.
    let locales: [ScreenLocale]

    /// The route of a request, with what stands in the open places of its path.
    ///
    /// - Throws: that the path cannot be decoded.
    func route(of request: Request) throws(Problem) -> RequestRoute {
        let target = request.splitTarget
        var path = target.path
        let found = path.withUTF8 { path in Result { () throws(Problem) in try route(of: path) } }
        if let (route, arguments) = try found.get() { return RequestRoute(route: route, path: arguments, query: target.query) }
        throw Problem(kind: .notFound, detail: "There is nothing at this path. The screens are listed at /screens.")
    }

    private func route(of path: UnsafeBufferPointer<UInt8>) throws(Problem) -> (Route, PathArguments)? {
        for route in routes {
            if let arguments = try route.path.arguments(in: path) { return (route, arguments) }
        }
        return nil
    }

    /// Replies to a request behind all layers, and turns its errors into answers: those that are thrown now, and those of work that
    /// comes later.
    func reply(to context: consuming RequestContext, _ errors: ErrorAnswers) -> Reply {
        // A layer may have passed on a context of its own.
        if context.route == nil { context.addRoute(try? route(of: context.request)) }
        let (fields, isOfAction) = (context.decisiveFields, context.isOfAction)
        do {
            let reply = try handledReply(to: context)
            if case .now = reply.content { return reply }
            return reply.recovering { errors.answer(to: $0, decidedBy: fields, isOfAction: isOfAction) }
        } catch {
            return .now(errors.answer(to: error, decidedBy: fields, isOfAction: isOfAction))
        }
    }

    private func handledReply(to context: consuming RequestContext) throws -> Reply {
        if let refusal = context.request.refusal { throw refusal }
        // Layers get no error of routing, so it is thrown here.
        let route = if let route = context.route?.route { route } else { try route(of: context.request).route }
        let method = context.request.method
        guard let operation = route.operation(for: method) else { return try route.reply(toOther: method) }
        let query = Query(context.route?.query, by: operation.query, locales: locales)
        // Of a screen they are told with those that only the screen knows.
        if case .taking = operation.query, !query.faults.isEmpty { throw ViewFault.parameters(query.faults) }
        return try operation.handler(RoutedRequest(context: context, query: query))
    }
}
