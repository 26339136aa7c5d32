import HTTPServer
import ScreenService

// The one place that says what is served: dispatching, `Allow` and the faults of queries come from it, and every answer in
// the tests is held against it.
extension RouteTable {
    private static let json = ["application/json"]
    private static let plain = ["text/plain"]
    /// What a request about a screen may be answered with.
    private static let ofScreen: Set<Problem.Kind> = [.unknownScreen, .unauthorized, .forbidden, .invalidParameters, .notAcceptable]

    private static let negotiated: [ResponseField] = [.contentLanguage, .cacheControl, .vary]
    private static let keepableFields = [.entityTag] + negotiated

    private static let ofFile: [ResponseField] = [
        .entityTag, .cacheControl, .contentSecurityPolicy, .referrerPolicy, .contentTypeOptions, .vary,
    ]
    private static let changes = [Operation.Success(types: json, content: .changes, fields: negotiated + ResponseField.protective)]

    private static let performed = [
        Operation.Success(types: json, content: .changes, fields: negotiated + ResponseField.protective + [.position]),
        Operation.Success(status: 204, types: [], fields: negotiated + [.preferenceApplied, .position]),
    ]

    /// The answers with what the client can keep.
    private static func keepable(_ content: Operation.Content) -> [Operation.Success] {
        [
            Operation.Success(types: json, content: content, fields: keepableFields + ResponseField.protective),
            Operation.Success(status: 304, types: [], fields: keepableFields),
        ]
    }

    /// - Parameter takesTokens: whether what a request says of its caller is read.
    init(_ screens: ScreenHandlers, _ status: ServiceStatus, _ files: PublicFiles?, takesTokens: Bool) {
        locales = screens.service.catalog.locales
        routes = [
            Route(
                PathPattern("screens", .screen),
                Operation(
                    .get, "get{screen}", "Gives the snapshot of a screen.", query: .ofScreen(taking: [.locale, .revision, .position]),
                    fields: [.acceptLanguage, .ifNoneMatch, .position], answers: Self.keepable(.snapshot),
                    problems: Self.ofScreen, handler: screens.snapshot
                )
            ),
            Route(
                PathPattern("screens", .screen, "changes"),
                Operation(
                    .get, "get{screen}Changes",
                    "Says what changed in a screen since a version: now, once there is something, or as a stream.",
                    query: .ofScreen(taking: [.version, .locale, .revision, .position]), fields: [.acceptLanguage, .prefer, .lastEventID, .position],
                    answers: [
                        .init(
                            types: Self.json + [ScreenHandlers.eventStreamType], content: .changes,
                            fields: Self.negotiated + ResponseField.protective + [.preferenceApplied, .buffering]
                        )
                    ],
                    problems: Self.ofScreen.union([.tooManyRequests]), handler: screens.changes
                ),
                Operation(
                    .post, "post{screen}Changes", "Says what changed in a screen since a version.",
                    query: .ofScreen(taking: [.locale, .revision, .position]), fields: [.acceptLanguage, .position], body: .changes, answers: Self.changes,
                    problems: Self.ofScreen.union([.invalidBody, .tooManyRequests]), handler: screens.postedChanges
                )
            ),
            Route(
                PathPattern("screens", .screen, "actions", .action),
                Operation(
                    .post, "perform{screen}{action}", "Performs an action of a screen, and says what changed since a version.",
                    query: .ofScreen(taking: [.locale, .revision, .position]), fields: [.acceptLanguage, .prefer, .idempotencyKey, .position], body: .action, answers: Self.performed,
                    problems: Self.ofScreen.union([
                        .invalidBody, .unsupportedMediaType, .unknownAction, .invalidInput, .brokenRule, .underWay, .reusedKey,
                        .tooManyRequests, .outcomeUnknown, .performed,
                    ]),
                    handler: screens.perform
                )
            ),
            Route(
                PathPattern("screens", .screen, "source"),
                Operation(
                    .get, "get{screen}Source", "Gives the Swift that defines an example screen.", query: .ignored,
                    answers: [.init(types: Self.plain, fields: [.cacheControl, .contentTypeOptions, .vary])],
                    problems: [.notFound, .unauthorized, .forbidden],
                    handler: screens.source
                )
            ),
            Route(
                PathPattern("screens"),
                Operation(
                    .get, "listScreens", "Lists the screens, with their parameters and actions.", query: .taking([.locale]),
                    fields: [.acceptLanguage, .ifNoneMatch], answers: Self.keepable(.screens),
                    problems: [.invalidParameters, .notAcceptable], handler: screens.list
                )
            ),
            Route(
                PathPattern("openapi.json"),
                Operation(
                    .get, "getDescription", "Describes all that is served, as OpenAPI 3.1.", query: .taking([]),
                    fields: [.ifNoneMatch], answers: Self.keepable(.description), problems: [.invalidParameters, .notAcceptable]
                ) { request in
                    try screens.description(request) { offering in
                        // A table of its own: routes that kept themselves would never go.
                        let routes = RouteTable(screens, status, files, takesTokens: takesTokens).routes
                        return Description(of: routes, screens.service.catalog, offering, takesTokens: takesTokens).bytes
                    }
                }
            ),
            Route(
                PathPattern("healthz"),
                Operation(
                    .get, "getHealth", "Says that the server runs.", query: .ignored,
                    answers: [.init(types: Self.plain, fields: [.cacheControl])]
                ) { _ in status.health }
            ),
            Route(
                PathPattern("readyz"),
                Operation(
                    .get, "getReadiness", "Says whether to send it requests.", query: .ignored,
                    answers: [
                        .init(types: Self.plain, fields: [.cacheControl]),
                        .init(status: 503, types: Self.plain, fields: [.cacheControl]),
                    ]
                ) { _ in status.readiness }
            ),
            Route(
                PathPattern("metrics"),
                Operation(
                    .get, "getMetrics", "Counts what was done, in Prometheus' text format.", query: .ignored,
                    answers: [.init(types: Self.plain, fields: [.cacheControl])]
                ) { _ in status.metrics }
            ),
            Route(
                PathPattern(.file),
                Operation(
                    .get, "getFile", "Gives a file of the page.", query: .ignored, fields: [.ifNoneMatch],
                    answers: [
                        .init(types: MediaType.all, fields: Self.ofFile), .init(status: 304, types: [], fields: Self.ofFile),
                    ],
                    problems: [.notFound, .invalidTarget]
                ) { try PublicFiles.reply(to: $0, from: files) }
            ),
        ]
    }
}
