import HTTPServer
import ScreenService

// The declaration of all routes of the API. It determines the handler of a request, the value of `Allow`, the checks of queries, and the
// OpenAPI document. The tests compare every response with it.
extension RouteTable {
    private static let json = ["application/json"]
    private static let plain = ["text/plain"]
    /// The problems that can occur in any request about a screen.
    private static let screenProblems: Set<Problem.Kind> = [.unknownScreen, .unauthorized, .forbidden, .invalidParameters]

    private static let negotiated: [ResponseField] = [.contentLanguage, .cacheControl, .vary, .contentEncoding]
    private static let cacheableFields = [.entityTag] + negotiated

    private static let fileFields: [ResponseField] = [
        .entityTag, .cacheControl, .contentSecurityPolicy, .referrerPolicy, .contentTypeOptions, .vary, .contentEncoding,
    ]
    private static let changes = [Operation.Success(types: json, content: .changes, fields: negotiated + ResponseField.protective)]

    private static let performed = [
        Operation.Success(types: json, content: .changes, fields: negotiated + ResponseField.protective + [.position]),
        Operation.Success(status: 204, types: [], fields: negotiated + [.preferenceApplied, .position]),
    ]

    /// Returns the successful responses with a document that clients can cache: a 200 with the document, and a 304.
    private static func cacheable(_ content: Operation.Content) -> [Operation.Success] {
        [
            Operation.Success(types: json, content: content, fields: cacheableFields + ResponseField.protective),
            Operation.Success(status: 304, types: [], fields: cacheableFields),
        ]
    }

    /// Creates the table with all routes of the API. `takesTokens` indicates whether callers authenticate with tokens.
    init(_ screens: ScreenHandlers, _ status: ServiceStatus, _ files: PublicFiles?, _ own: OwnRoutes, takesTokens: Bool, hasMetrics: Bool) {
        locales = screens.service.catalog.locales
        let ofRelist = [
            RouteEntry(
                PathPattern("screens", .screen),
                Operation(
                    .get, "get{screen}", "Returns the snapshot of a screen.", query: .ofScreen(accepting: [.locale, .revision, .position]),
                    fields: [.acceptLanguage, .acceptEncoding, .ifNoneMatch, .position], successes: Self.cacheable(.snapshot),
                    problems: Self.screenProblems, handler: screens.snapshot
                )
            ),
            RouteEntry(
                PathPattern("screens", .screen, "changes"),
                Operation(
                    .get, "get{screen}Changes",
                    "Returns the changes of a screen since a version: at once, once there are any, or as a stream.",
                    query: .ofScreen(accepting: [.version, .locale, .revision, .position]),
                    fields: [.acceptLanguage, .acceptEncoding, .prefer, .lastEventID, .position],
                    successes: [
                        .init(
                            types: Self.json + [ScreenHandlers.eventStreamType], content: .changes,
                            fields: Self.negotiated + ResponseField.protective + [.preferenceApplied, .buffering]
                        )
                    ],
                    problems: Self.screenProblems, handler: screens.changes
                ),
                Operation(
                    .post, "post{screen}Changes", "Returns the changes of a screen since a version.",
                    query: .ofScreen(accepting: [.locale, .revision, .position]), fields: [.acceptLanguage, .acceptEncoding, .position],
                    body: .changes, successes: Self.changes,
                    problems: Self.screenProblems.union([.invalidBody, .unsupportedMediaType]),
                    handler: screens.postedChanges
                )
            ),
            RouteEntry(
                PathPattern("screens", .screen, "actions", .action),
                Operation(
                    .post, "perform{screen}{action}", "Performs an action of a screen, and returns the changes since a version.",
                    query: .ofScreen(accepting: [.locale, .revision, .position]),
                    fields: [.acceptLanguage, .acceptEncoding, .prefer, .idempotencyKey, .position], body: .action,
                    successes: Self.performed,
                    problems: Self.screenProblems.union([
                        .invalidBody, .unsupportedMediaType, .unknownAction, .invalidInput, .brokenRule, .keyInProgress, .reusedKey,
                        .outcomeUnknown, .performed,
                    ]),
                    handler: screens.perform
                )
            ),
            RouteEntry(
                .source,
                Operation(
                    .get, "get{screen}Source", "Returns the Swift source of an example screen.", query: .ignored,
                    successes: [.init(types: Self.plain, fields: [.cacheControl, .contentTypeOptions, .vary, .contentEncoding])],
                    problems: [.notFound, .unauthorized, .forbidden],
                    handler: screens.source
                )
            ),
            RouteEntry(
                PathPattern("screens"),
                Operation(
                    .get, "listScreens", "Lists the screens, with their parameters and actions.", query: .accepting([.locale]),
                    fields: [.acceptLanguage, .acceptEncoding, .ifNoneMatch], successes: Self.cacheable(.screens),
                    problems: [.invalidParameters], handler: screens.list
                )
            ),
            RouteEntry(
                PathPattern("openapi.json"),
                Operation(
                    .get, "getDescription", "Describes the API in OpenAPI 3.1.", query: .accepting([]),
                    fields: [.acceptEncoding, .ifNoneMatch], successes: Self.cacheable(.description),
                    problems: [.invalidParameters]
                ) { request in
                    let permitted = own.permitted(to: request.context.caller)
                    return try screens.description(request, beside: permitted.names) { offering in
                        // A second table is created here, because a route that retained its own table would form a reference cycle.
                        let routes = RouteTable(screens, status, files, permitted, takesTokens: takesTokens, hasMetrics: hasMetrics).routes
                        return Description(of: routes, screens.service.catalog, offering, takesTokens: takesTokens).bytes
                    }
                }
            ),
        ]
        let ofFiles = RouteEntry(
            PathPattern(.file),
            Operation(
                .get, "getFile", "Returns a file.", query: .ignored, fields: [.acceptEncoding, .ifNoneMatch],
                successes: [
                    .init(types: MediaType.all, fields: Self.fileFields), .init(status: 304, types: [], fields: Self.fileFields),
                ],
                problems: [.notFound, .invalidTarget]
            ) { try PublicFiles.reply(to: $0, from: files) }
        )
        routes = ofRelist + Self.operatorRoutes(status, hasMetrics: hasMetrics) + own.entries(of: screens.service) + [ofFiles]
    }

    /// Returns the routes for operators.
    static func operatorRoutes(_ status: ServiceStatus, hasMetrics: Bool) -> [RouteEntry] {
        let text = Operation.Success(types: plain, fields: [.cacheControl])
        let unready = Operation.Success(status: 503, types: plain, fields: [.cacheControl])
        let health = Operation(.get, "getHealth", "Reports that the server is running.", query: .ignored, successes: [text]) { _ in
            status.health
        }
        let readiness = Operation(
            .get, "getReadiness", "Reports whether the server is ready for requests.", query: .ignored, successes: [text, unready]
        ) { _ in status.readiness }
        let metrics = Operation(
            .get, "getMetrics", "Returns metrics in the Prometheus text format.", query: .ignored, successes: [text]
        ) { _ in status.metrics }
        let entries = [RouteEntry(PathPattern("healthz"), health), RouteEntry(PathPattern("readyz"), readiness)]
        return entries + (hasMetrics ? [RouteEntry(PathPattern("metrics"), metrics)] : [])
    }
}
