import Foundation
import HTTPServer
import ScreenService

/// The routes of a team, without conflicts among them and with the routes of Relist.
public struct OwnRoutes: Sendable {
    /// The routes of one path, with at most one route for each method.
    private let places: [(pattern: PathPattern, routes: [Route])]

    public static let none = OwnRoutes(places: [])

    /// Checks the routes of a team.
    ///
    /// - Parameter folder: The path of the folder whose files are served. A route must not hide a file or folder in it.
    /// - Throws: One error with all faults.
    public init(_ routes: [Route], beside folder: String? = nil) throws(RouteFaults) {
        var (places, faults): ([(pattern: PathPattern, routes: [Route])], [String]) = ([], [])
        for route in routes {
            do throws(RouteFaults) {
                let pattern = try PathPattern(route.path, beside: folder)
                guard let index = places.firstIndex(where: { $0.pattern.matchesSamePaths(as: pattern) }) else {
                    places.append((pattern, [route]))
                    continue
                }
                let first = places[index]
                guard first.pattern.template == pattern.template else {
                    throw RouteFaults(
                        route.path, "has other names of placeholders than \(first.pattern.template); give them the same names")
                }
                guard !first.routes.contains(where: { $0.method == route.method }) else {
                    throw RouteFaults(route.path, "has two routes for \(route.method.rawValue); remove one")
                }
                places[index].routes.append(route)
            } catch {
                faults += error.faults
            }
        }
        if !faults.isEmpty { throw RouteFaults(faults: faults) }
        // A path with fixed segments is compared before a path that also matches it with placeholders.
        self.init(places: places.sorted { $0.pattern.isComparedBefore($1.pattern) })
    }

    private init(places: [(pattern: PathPattern, routes: [Route])]) {
        self.places = places
    }

    /// Returns the routes that a caller may use.
    func permitted(to caller: Caller) -> OwnRoutes {
        OwnRoutes(places: places.map { ($0.pattern, $0.routes.filter { $0.access.admits(caller) }) }.filter { !$0.1.isEmpty })
    }

    /// The method and the path of each route.
    var names: [String] {
        places.flatMap { pattern, routes in routes.map { "\($0.method.rawValue) \(pattern.template)" } }
    }

    func entries(of service: ScreenService) -> [RouteEntry] {
        places.map { pattern, routes in RouteEntry(pattern, routes.map { Operation($0, at: pattern, of: service) }) }
    }
}

/// An error with all faults of the routes of a team.
public struct RouteFaults: Error, Equatable, CustomStringConvertible {
    /// The faults, each as a sentence that names the path.
    public let faults: [String]

    public var description: String { faults.joined(separator: "\n") }
}

extension RouteFaults {
    fileprivate init(_ path: String, _ fault: String) {
        faults = ["The route \(path) \(fault)."]
    }
}

// MARK: - Patterns

extension PathPattern {
    /// The first segments of the paths of Relist.
    private static let taken: Set = ["screens", "openapi.json", "healthz", "readyz", "metrics", "development"]

    fileprivate init(_ path: String, beside folder: String?) throws(RouteFaults) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard path.hasPrefix("/"), !segments.isEmpty, segments.allSatisfy(Self.isSegment) else {
            throw RouteFaults(path, "must be a path such as /kitchen/printers/{name}, without a slash at the end and without escapes")
        }
        parts = segments.map { $0.hasPrefix("{") ? .named(String($0.dropFirst().dropLast())) : .text($0) }
        guard Set(names).count == names.count else { throw RouteFaults(path, "has a placeholder twice; give each its own name") }
        guard case .text(let first) = parts[0] else { throw RouteFaults(path, "begins with a placeholder; begin it with a fixed segment") }
        guard !Self.taken.contains(first) else { throw RouteFaults(path, "begins like a path of Relist; begin it with another segment") }
        guard !(folder.map { FileManager.default.fileExists(atPath: "\($0)/\(first)") } ?? false) else {
            throw RouteFaults(path, "hides \(first) in the folder of files; begin it with another segment")
        }
    }

    private static func isSegment(_ segment: String) -> Bool {
        segment.wholeMatch(of: #/\{[A-Za-z][A-Za-z0-9_-]*\}|[^\/{}%?#\s]+/#) != nil && segment != "." && segment != ".."
    }

    /// The names of the placeholders, in order.
    var names: [String] {
        parts.compactMap { part in
            guard case .named(let name) = part else { return nil }
            return name
        }
    }

    /// The texts of the fixed segments; nil for a placeholder.
    private var shape: [String?] {
        parts.map { part in
            guard case .text(let text) = part else { return nil }
            return text
        }
    }

    fileprivate func matchesSamePaths(as other: PathPattern) -> Bool { shape == other.shape }

    fileprivate func isComparedBefore(_ other: PathPattern) -> Bool {
        let (own, others) = (shape, other.shape)
        for (one, two) in zip(own, others) where (one == nil) != (two == nil) { return two == nil }
        return own.count < others.count
    }
}

// MARK: - Handling

extension Operation {
    /// Creates the operation of a team's route.
    fileprivate convenience init(_ route: Route, at pattern: PathPattern, of service: ScreenService) {
        let takesBody = route.method != .get
        let isTyped = takesBody && route.method != .delete
        self.init(
            route.method, route.method.rawValue.lowercased() + pattern.template.asComponentName, route.summary, query: .ignored,
            body: isTyped ? .own(route.bodyType) : nil, access: route.access, successes: [Success(types: ["*/*"])],
            problems: Self.problems.union(takesBody ? [.outcomeUnknown] : []).union(isTyped ? [.invalidBody, .unsupportedMediaType] : [])
        ) { request in
            try request.require(route.access)
            if isTyped { try request.requireBody(of: route.bodyType) }
            let (fields, deadline) = (request.context.varyFields, request.context.deadline)
            let call = RouteRequest(request, pattern.names, in: service.catalog.locales)
            let run: @Sendable ([UInt8]) -> Reply = { body in
                var call = call
                call.body = body
                return .later { [call] in
                    .response(try await route.response(to: call, from: service, within: deadline).completed(varyingBy: fields))
                }
            }
            guard takesBody else { return run([]) }
            return .reading(countedFor: request.context.limitKey, limit: route.bodyLimit) { run(try $0.get()) }
        }
    }

    /// The problems that the handler of a team may throw.
    private static let problems: Set<Problem.Kind> = [
        .unauthorized, .forbidden, .notFound, .invalidParameters, .brokenRule, .invalidTarget,
    ]
}

extension Route {
    fileprivate func response(
        to request: RouteRequest, from service: ScreenService, within deadline: Deadline?
    ) async throws -> Response {
        do {
            return try await service.run(at: path, handler, request, within: deadline, late: Self.late(method))
        } catch let broken as BrokenRules {
            throw Problem(broken, at: "")
        } catch DeadlineFault.tooManyStragglers {
            throw Problem.unavailable("Too many requests for this path hang, so no more are started; try again later.")
        }
    }

    private static func late(_ method: Method) -> Problem {
        if method == .get { return .unavailable("This took too long; try again.") }
        return Problem(kind: .outcomeUnknown, detail: "This took too long. It may have been done, or may still be done.")
    }
}

extension RouteRequest {
    fileprivate init(_ request: borrowing RoutedRequest, _ names: [String], in locales: [ScreenLocale]) {
        var caller = request.context.caller
        caller.limitKey = request.context.limitKey
        self.init(
            caller: caller, locale: request.locale(of: locales), headers: request.headers,
            arguments: Dictionary(uniqueKeysWithValues: zip(names, request.path.segments)), queryText: request.context.query
        )
    }
}

extension RoutedRequest {
    fileprivate func require(_ access: Access) throws(Problem) {
        switch access.refusal(of: context.caller) {
        case nil: return
        case .needsUser: throw Problem(kind: .unauthorized, detail: "This needs a user; send a token in an Authorization header.")
        case .forbidden: throw .forbidden("This is not allowed for this user: the claims of the token do not permit it.")
        }
    }
}

extension Response {
    /// Returns the response with the fields that each response to a caller has, unless the handler has set them.
    fileprivate func completed(varyingBy fields: [String]) -> Response {
        var response = self
        if headers["Cache-Control"] == nil { response.headers.append("Cache-Control", "no-store") }
        for (name, value) in DocumentResponses.protectiveFields where headers[name] == nil { response.headers.append(name, value) }
        response.headers.append("Vary", (["Accept-Encoding", "Accept-Language"] + fields).joined(separator: ", "))
        return response
    }
}
