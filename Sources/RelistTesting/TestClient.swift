import Foundation
import Logging
@_exported public import Relist
import ScreenWire
import Synchronization

/// A client for testing the content and actions of screens. It runs in the same process as the screens, without a server.
///
/// ```swift
/// let client = try await TestClient(screens: [Groceries(list: list)], store: store)
/// let change = try await client.perform("add", ["name": "Flour"], on: client.screen("groceries"))
/// #expect(change.inserted == ["Flour"])
/// ```
public struct TestClient: Sendable {
    private let service: ScreenService
    private let topics: Topics
    private let caller: Caller
    private let routes: OwnRoutes

    /// Creates a client of screens.
    ///
    /// - Parameters:
    ///   - store: the service store. The stores that the screens read must announce their commits through the `topics` of the service
    ///     store.
    ///   - user: the id of the user; nil for an anonymous caller.
    ///   - claims: the claims of the user.
    ///   - clock: the time of day, such as a `ManualClock` that the test sets.
    ///   - routes: the team's routes, for ``request(_:method:headers:body:)``.
    /// - Throws: one error with all faults of the screens, or of the routes.
    public init(
        screens: [any Screen], store: any ServiceStoring = ServiceStoreInMemory(), languages: [ScreenLocale] = [.english],
        user: String? = "demo", claims: Claims = Claims(), clock: any WallClock = SystemClock(),
        routes: [Route] = []
    ) async throws {
        self.routes = try OwnRoutes(routes, beside: nil)
        service = try await ScreenService(
            catalog: ScreenCatalog(screens, locales: languages), store: store,
            logger: Self.quiet, clock: clock, isStrict: true
        )
        topics = store.topics
        caller = user.map { .user($0, claims: claims) } ?? .anonymous
    }

    private init(_ client: TestClient, as caller: Caller) {
        (service, topics, routes) = (client.service, client.topics, client.routes)
        self.caller = caller
    }

    /// Returns a client of the same screens for another caller.
    ///
    /// - Parameter user: the id of the user; nil for an anonymous caller.
    public func signedIn(as user: String?, claims: Claims = Claims()) -> TestClient {
        TestClient(self, as: user.map { .user($0, claims: claims) } ?? .anonymous)
    }

    /// Returns the current state of a screen. By default, the texts are in the first language, and the revision is the oldest one.
    ///
    /// - Throws: `ViewFault` for an unknown screen or an invalid parameter; `RepeatedIDs` if two cells or two sections have one id;
    ///   `ContentFaults` for programming errors in the content; the errors of the screen.
    public func screen(
        _ name: String, _ parameters: KeyValuePairs<String, String> = [:], revision: Int? = nil, in language: ScreenLocale? = nil
    ) async throws -> ShownScreen {
        try await shown(
            service.catalog.view(
                of: name, parameters: parameters.map { (name: $0.key, value: $0.value) }, revision: revision.map(String.init),
                locale: language ?? service.catalog.locales[0], caller: caller
            )
        )
    }

    /// Performs an action, and returns the resulting change of the screen.
    ///
    /// - Parameter mustChange: A Boolean value that indicates whether the action must change data that the screen has read.
    /// - Throws: `InputFaults` if the input is invalid for the action; `BrokenRules` and other errors of the action; `NothingChanged` if the
    ///   action must change data of the screen and has announced none.
    public func perform(
        _ action: String, _ input: KeyValuePairs<String, JSONValue> = [:], on screen: ShownScreen, mustChange: Bool = true
    ) async throws -> ScreenChange {
        let view = try view(of: screen)
        let request = ActionRequest(
            action: action, caller: caller, version: screen.version,
            input: .object(input.map { JSONValue.Member($0.key, $0.value) }), idempotencyKey: nil
        )
        let reads = try await service.topics(of: view)
        let announcements = Announcements(to: topics)
        defer { announcements.end() }
        _ = try await service.perform(request, on: view)
        let announced = announcements.all
        if mustChange, !announced.contains(where: { announcement in reads.contains(where: announcement.touches) }) {
            throw NothingChanged(action: action, screen: view.screen, announced: announced.flatMap(\.topics), reads: Array(reads))
        }
        return try await ScreenChange(from: screen, to: shown(view))
    }

    /// Follows a screen, as a client with a stream does.
    ///
    /// - Throws: the errors of the screen.
    public func follow(_ screen: ShownScreen) async throws -> FollowedScreen {
        let wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let view = try view(of: screen)
        let announcements = Announcements(to: topics)
        do {
            let subscription = try await service.follow(view) { wakes.continuation.yield() }.value
            let reads = { @Sendable in try await service.topics(of: view) }
            return FollowedScreen(screen, subscription, wakes, announcements, reads: reads) { try await shown(view) }
        } catch {
            announcements.end()
            throw error
        }
    }

    /// Sends an HTTP request to the server of the screens, in memory and as this caller. The server has no middleware.
    ///
    /// - Parameters:
    ///   - target: the path with the query, such as `/screens/orders?day=monday`.
    ///   - body: JSON; it is sent as `application/json` unless `headers` has another `Content-Type`.
    public func request(
        _ target: String, method: String = "GET", headers: KeyValuePairs<String, String> = [:], body: String = ""
    ) async throws -> TestResponse {
        var fields = Headers()
        for (name, value) in headers { fields.append(name, value) }
        if !body.isEmpty, fields["Content-Type"] == nil { fields.append("Content-Type", "application/json") }
        let api = ScreenAPI(
            service: service, publicFolder: nil, routes: routes, middleware: [FixedCaller(caller)], logger: Self.quiet
        )
        let reply = api.reply(to: Request(method: method, target: target, headers: fields))
        return TestResponse(try await reply.answer(reading: .success(Array(body.utf8))))
    }

    /// Returns the change between the shown state of a screen and its current state.
    public func change(of screen: ShownScreen) async throws -> ScreenChange {
        try await ScreenChange(from: screen, to: shown(view(of: screen)))
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Returns the view of a screen for this caller, which may differ from the caller for whom the screen was shown.
    private func view(of screen: ShownScreen) throws -> ScreenView {
        let view = screen.view
        return try service.catalog.view(
            of: view.screen, parameters: view.parameters.map { (name: $0.name, value: $0.value) }, revision: String(view.revision),
            locale: view.locale, caller: caller
        )
    }

    private func shown(_ view: ScreenView) async throws -> ShownScreen {
        let screen = try await ShownScreen(view, service.snapshot(of: view).value)
        if service.metrics.current.renamedIDs > 0, !screen.repeatedIDs.isEmpty {
            throw RepeatedIDs(screen: view.screen, ids: screen.repeatedIDs)
        }
        return screen
    }
}

/// Records the announcements that are made until `end()` is called.
struct Announcements: Sendable {
    private final class Record: Sendable {
        let all = Mutex<[Announcement]>([])
    }

    private let topics: Topics
    private let record: Record
    private let id: Int

    init(to topics: Topics) {
        let record = Record()
        (self.topics, self.record) = (topics, record)
        id = topics.observe { announcement in
            record.all.withLock { $0.append(announcement) }
            return nil
        }
    }

    var all: [Announcement] { record.all.withLock { $0 } }

    /// Removes the first announcements.
    func forget(_ count: Int) {
        record.all.withLock { $0.removeFirst(min(count, $0.count)) }
    }

    func end() {
        topics.endObserving(id)
    }
}
