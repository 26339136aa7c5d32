import HTTPServer
import ScreenService

/// All routes. What is asked for most comes first, and a pattern of any path last.
struct RouteTable: Sendable {
    let routes: [Route]
    /// The languages that the screens speak.
    let locales: [ScreenLocale]

    /// The route of a path, with what stands in its open places.
    ///
    /// - Throws: that there is none, as the path cannot be decoded.
    func route(of path: Substring) throws(Problem) -> (Route, PathArguments) {
        var path = path
        let found = path.withUTF8 { path in Result { () throws(Problem) in try route(of: path) } }
        if let found = try found.get() { return found }
        throw Problem(kind: .notFound, detail: "There is nothing at this path. The screens are listed at /screens.")
    }

    private func route(of path: UnsafeBufferPointer<UInt8>) throws(Problem) -> (Route, PathArguments)? {
        for route in routes {
            if let arguments = try route.path.arguments(in: path) { return (route, arguments) }
        }
        return nil
    }

    func reply(to context: consuming RequestContext) throws -> Reply {
        let target = context.request.splitTarget
        let (route, path) = try route(of: target.path)
        let method = context.request.method
        guard let operation = route.operation(for: method) else { return try route.reply(toOther: method) }
        let query = Query(target.query, by: operation.query, locales: locales)
        // Of a screen they are told with those that only the screen knows.
        if case .taking = operation.query, !query.faults.isEmpty { throw ViewFault.parameters(query.faults) }
        return try operation.handler(RoutedRequest(context: consume context, path: consume path, query: consume query))
    }
}
