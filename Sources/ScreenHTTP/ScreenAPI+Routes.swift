import HTTPServer
import ScreenService

// The one place that says what is served: dispatching, `Allow` and the faults of queries come from it, and every answer in
// the tests is held against it.
extension RouteTable {
    private static let json = ["application/json"]
    private static let plain = ["text/plain"]
    /// What a request about a screen may be answered with.
    private static let ofScreen: Set<Problem.Kind> = [.unknownScreen, .unauthorized, .invalidParameters, .notAcceptable]

    init(_ screens: ScreenHandlers, _ status: ServiceStatus, _ files: PublicFiles?) {
        locales = screens.service.catalog.locales
        routes = [
            Route(
                PathPattern("screens", .screen),
                Operation(
                    .get, "Gives the snapshot of a screen.", query: .ofScreen(taking: [.locale, .revision]),
                    answers: [.init(types: Self.json), .init(status: 304, types: [])],
                    problems: Self.ofScreen, handler: screens.snapshot
                )
            ),
            Route(
                PathPattern("screens", .screen, "changes"),
                Operation(
                    .get, "Says what changed in a screen since a version: now, once there is something, or as a stream.",
                    query: .ofScreen(taking: [.version, .locale, .revision]),
                    answers: [.init(types: Self.json + [ScreenHandlers.eventStreamType])],
                    problems: Self.ofScreen, handler: screens.changes
                ),
                Operation(
                    .post, "Says what changed in a screen since a version.", query: .ofScreen(taking: [.locale, .revision]),
                    body: .changes, answers: [.init(types: Self.json)],
                    problems: Self.ofScreen.union([.invalidBody]), handler: screens.postedChanges
                )
            ),
            Route(
                PathPattern("screens", .screen, "actions", .action),
                Operation(
                    .post, "Performs an action of a screen, and says what changed since a version.",
                    query: .ofScreen(taking: [.locale, .revision]), body: .action, answers: [.init(types: Self.json)],
                    problems: Self.ofScreen.union([
                        .invalidBody, .unsupportedMediaType, .unknownAction, .invalidInput, .brokenRule, .underWay, .reusedKey,
                        .outcomeUnknown, .performed,
                    ]),
                    handler: screens.perform
                )
            ),
            Route(
                PathPattern("screens"),
                Operation(
                    .get, "Lists the screens, with their parameters and actions.", query: .taking([.locale]),
                    answers: [.init(types: Self.json), .init(status: 304, types: [])],
                    problems: [.invalidParameters, .notAcceptable], handler: screens.list
                )
            ),
            Route(
                PathPattern("healthz"),
                Operation(.get, "Says that the server runs.", query: .ignored, answers: [.init(types: Self.plain)]) { _ in
                    status.health
                }
            ),
            Route(
                PathPattern("readyz"),
                Operation(
                    .get, "Says whether to send it requests.", query: .ignored,
                    answers: [.init(types: Self.plain), .init(status: 503, types: Self.plain)]
                ) { _ in status.readiness }
            ),
            Route(
                PathPattern("metrics"),
                Operation(
                    .get, "Counts what was done, in Prometheus' text format.", query: .ignored,
                    answers: [.init(types: Self.plain)]
                ) { _ in status.metrics }
            ),
            Route(
                PathPattern(.file),
                Operation(
                    .get, "Gives a file of the page.", query: .ignored,
                    answers: [.init(types: MediaType.all), .init(status: 304, types: [])], problems: [.notFound]
                ) { try PublicFiles.reply(to: $0, from: files) }
            ),
        ]
    }
}
