import ScreenModel
@testable import ScreenService
import Synchronization
import Testing

@Suite("Attendance", .timeLimit(.minutes(1))) struct AttendanceTests {
    private let shifts = Shifts()

    private func open() throws -> (Attendance, (_ user: String, _ q: String) throws -> ScreenView) {
        let catalog = try ScreenCatalog([Watched(shifts: shifts)])
        return (Attendance(catalog: catalog), { user, q in
            try catalog.view(of: "watched", parameters: [("q", q)], locale: .english, caller: .user(user))
        })
    }

    @Test func aScreenIsWatchedOnceForAnAudienceHoweverManyFollow() async throws {
        let (attendance, view) = try open()
        for q in ["a", "b", "b"] { attendance.enter(try view("ada", q)) }
        let first = await shifts.begun()
        attendance.enter(try view("bob", "a"))
        let second = await shifts.begun()
        #expect((first.user, second.user) == ("ada", "bob"))
        attendance.leave(try view("bob", "a"))
        #expect(await shifts.ended() == "bob")
        for q in ["a", "b"] { attendance.leave(try view("ada", q)) }
        #expect(!first.isCancelled)
        attendance.leave(try view("ada", "b"))
        #expect(await shifts.ended() == "ada")
        #expect(shifts.count == 2)
    }

    @Test func itBeginsAnewOnlyAfterTheEarlierHasEnded() async throws {
        let (attendance, view) = try open()
        attendance.enter(try view("ada", ""))
        let first = await shifts.begun()
        first.holdsItsEnd = true
        attendance.leave(try view("ada", ""))
        await first.cancelled()
        attendance.enter(try view("ada", ""))
        #expect(shifts.count == 1)
        first.letEnd()
        #expect(await shifts.ended() == "ada")
        let second = await shifts.begun()
        #expect(shifts.overlaps == 0)
        attendance.leave(try view("ada", ""))
        await second.cancelled()
        #expect(await shifts.ended() == "ada")
    }

    @Test func whoCameAndLeftWhileTheEarlierEndsIsNeverWatchedFor() async throws {
        let (attendance, view) = try open()
        attendance.enter(try view("ada", ""))
        let first = await shifts.begun()
        first.holdsItsEnd = true
        for _ in 0..<3 {
            attendance.leave(try view("ada", ""))
            attendance.enter(try view("ada", ""))
        }
        first.letEnd()
        #expect(await shifts.ended() == "ada")
        _ = await shifts.begun()
        #expect(shifts.count == 2 && shifts.overlaps == 0)
        attendance.leave(try view("ada", ""))
        #expect(await shifts.ended() == "ada")
    }

    @Test func followingAndWaitingCountAsWatching() async throws {
        let service = try await ScreenService(
            catalog: try ScreenCatalog([Watched(shifts: shifts)]), store: ServiceStoreInMemory(), logger: .silent
        )
        let view = try service.catalog.view(of: "watched", parameters: [], locale: .english, caller: .user("ada"))
        let subscription = try await service.follow(view) {}.value
        #expect(await shifts.begun().user == "ada")
        subscription.cancel()
        #expect(await shifts.ended() == "ada")
        let version = try await service.snapshot(of: view).value.version
        let waiting = Task { try await service.changes(of: view, from: version, waiting: .seconds(3600)) }
        #expect(await shifts.begun().user == "ada")
        service.drain()
        _ = try await waiting.awaited
        #expect(await shifts.ended() == "ada")
    }
}

/// Records who is watched for and when.
private final class Shifts: Sendable {
    private struct State {
        var count = 0
        var running: [String: Int] = [:]
        var overlaps = 0
    }

    private let state = Mutex(State())
    private let beginnings = AsyncStream.makeStream(of: Shift.self)
    private let endings = AsyncStream.makeStream(of: String.self)

    /// How many have begun, and how many of them while another of the same user was running.
    var count: Int { state.withLock { $0.count } }
    var overlaps: Int { state.withLock { $0.overlaps } }

    func run(for user: String) async {
        let shift = Shift(user)
        state.withLock { state in
            state.count += 1
            if state.running[user, default: 0] > 0 { state.overlaps += 1 }
            state.running[user, default: 0] += 1
        }
        beginnings.continuation.yield(shift)
        await shift.run()
        state.withLock { $0.running[user]! -= 1 }
        endings.continuation.yield(user)
    }

    func begun() async -> Shift { await beginnings.stream.first { _ in true }! }
    func ended() async -> String? { await endings.stream.first { _ in true } }
}

private final class Shift: Sendable {
    let user: String
    private let isHeld = Mutex(false)
    private let cancellation = Mutex(false)
    private let wasCancelled = AsyncStream.makeStream(of: Void.self)
    private let never = AsyncStream.makeStream(of: Void.self)
    private let end = AsyncStream.makeStream(of: Void.self)

    init(_ user: String) {
        self.user = user
    }

    var isCancelled: Bool { cancellation.withLock { $0 } }

    /// Whether it goes on after it was cancelled until ``letEnd()``.
    var holdsItsEnd: Bool {
        get { isHeld.withLock { $0 } }
        set { isHeld.withLock { $0 = newValue } }
    }

    func letEnd() { end.continuation.finish() }
    func cancelled() async { for await _ in wasCancelled.stream {} }

    func run() async {
        // Until it is cancelled.
        for await _ in never.stream {}
        cancellation.withLock { $0 = true }
        wasCancelled.continuation.finish()
        // In a task of its own, which is not cancelled.
        if holdsItsEnd { await Task { for await _ in end.stream {} }.value }
    }
}

private struct Watched: Screen {
    static let name = "watched"
    static let q = Parameter<String>.text("q", "Nothing.")
    let shifts: Shifts
    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [q]

    let title: Text = "Watched"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, Row>> {
        ScreenContent(title: "Watched", model: TableViewModel(section: TableViewSection(id: "one", cells: [Row(id: "1")])))
    }

    func whileWatched(by audience: Audience) async {
        if case .user(let user) = audience { await shifts.run(for: user) }
    }
}
