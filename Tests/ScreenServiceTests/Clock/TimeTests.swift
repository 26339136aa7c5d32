import Foundation
import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

/// Tests of screens whose content depends on the time.
struct TimeTests {
    private let clock = ManualClock(at: 600)
    private let topics = Topics()

    private func service(of screens: any Screen..., over history: any HistoryStoring = HistoryInMemory()) async throws -> ScreenService {
        try await ScreenService(
            catalog: ScreenCatalog(screens), store: TestStore(topics: topics, history: history), logger: .silent, clock: clock
        )
    }

    private func view(_ service: ScreenService, _ name: String) throws -> ScreenView {
        try service.catalog.view(of: name, parameters: [], locale: .english, caller: .anonymous)
    }

    private func text(_ service: ScreenService, _ name: String) async throws -> String {
        try await service.snapshot(of: view(service, name)).value.text
    }

    @Test func aScreenSeesTheTimeOfTheLastTick() async throws {
        let service = try await service(of: Age(topics: topics))
        clock.advance(by: .seconds(59))
        #expect(try await text(service, "age").contains("10 min"))
        clock.advance(by: .seconds(1))
        #expect(try await text(service, "age").contains("11 min"))
    }

    @Test func aCachedViewIsUsedUntilTheNextTickAndNoLonger() async throws {
        let service = try await service(of: Age(topics: topics))
        let first = try await service.snapshot(of: view(service, "age")).value
        clock.advance(by: .seconds(59))
        #expect(try await service.snapshot(of: view(service, "age")).value === first)
        #expect(first.remainingSeconds == 0)
        clock.advance(by: .seconds(1))
        #expect(try await service.snapshot(of: view(service, "age")).value !== first)
    }

    @Test func theTickIsTheSameForClocksThatDifferBySeconds() async throws {
        let first = try await service(of: Age(topics: topics))
        let version = try await first.snapshot(of: view(first, "age")).value.version
        clock.advance(by: .seconds(40))
        let second = try await service(of: Age(topics: topics))
        #expect(try await second.snapshot(of: view(second, "age")).value.version == version)
    }

    @Test func followersReceiveTheChangesOfATick() async throws {
        let service = try await service(of: Age(topics: topics))
        let wakes = AsyncStream.makeStream(of: Void.self)
        let subscription = try await service.follow(view(service, "age")) { wakes.continuation.yield() }.value
        let version = try #require(subscription.feed.latest?.snapshot.version)
        clock.advance(by: .seconds(60))
        for await _ in wakes.stream {
            guard case .document(let document) = subscription.news(since: version, reported: .current) else { continue }
            let changeset = try await document.value
            #expect(changeset.kind == .changeset && changeset.text.contains("11 min"))
            break
        }
    }

    @Test func aFollowerThatLeavesCancelsTheRefreshAtTheTick() async throws {
        let service = try await service(of: Age(topics: topics))
        let subscription = try await service.follow(view(service, "age")).value
        let count = service.metrics.current.computations
        subscription.cancel()
        clock.advance(by: .seconds(60))
        #expect(service.metrics.current.computations == count)
        #expect(clock.scheduledCount == 0)
    }

    @Test func aRequestDuringAComputationOfThePastTickReceivesTheNewTick() async throws {
        let screen = Age(topics: topics)
        let service = try await service(of: screen)
        let gate = Gate()
        screen.gate.withLock { $0 = gate }
        async let slow = text(service, "age")
        await gate.isReached()
        clock.advance(by: .seconds(60))
        screen.gate.withLock { $0 = nil }
        async let late = text(service, "age")
        gate.open()
        #expect(try await late.contains("11 min"))
        #expect(try await slow.contains("11 min"))
    }

    @Test func contentIsComputedAgainAtTheInstantThatItStates() async throws {
        let service = try await service(of: Offer())
        #expect(try await text(service, "offer").contains("half price"))
        clock.advance(by: .seconds(99))
        #expect(try await text(service, "offer").contains("half price"))
        clock.advance(by: .seconds(1))
        #expect(try await text(service, "offer").contains("full price"))
        let snapshot = try await service.snapshot(of: view(service, "offer")).value
        #expect(snapshot.remainingSeconds == nil)
    }

    @Test func aScreenStatesUntilWhenItsContentIsRight() async throws {
        let service = try await service(of: Notice(clock: clock))
        #expect(try await text(service, "notice").contains("open"))
        clock.advance(by: .seconds(100))
        #expect(try await text(service, "notice").contains("closed"))
    }

    @Test func aClockThatIsSetBackOutdatesWhatWasComputedLater() async throws {
        let service = try await service(of: Age(topics: topics))
        clock.advance(by: .seconds(3600))
        let wakes = AsyncStream.makeStream(of: Void.self)
        let subscription = try await service.follow(view(service, "age")) { wakes.continuation.yield() }.value
        clock.advance(by: .seconds(-3600))
        #expect(try await text(service, "age").contains("10 min"))
        for await _ in wakes.stream where subscription.feed.latest?.snapshot.text.contains("10 min") == true { break }
    }

    @Test func aVersionThatWasStoredStaysStoredAfterATickBroughtItBack() async throws {
        let history = HistoryInMemory()
        let service = try await service(of: Notice(clock: clock), over: history)
        let open = try await service.snapshot(of: view(service, "notice")).value.version
        clock.advance(by: .seconds(100))
        _ = try await text(service, "notice")
        clock.advance(by: .seconds(-100))
        #expect(try await service.snapshot(of: view(service, "notice")).value.version == open)
        clock.advance(by: .seconds(HistoryBounds.useInterval))
        _ = try await service.changes(of: view(service, "notice"), from: open).value
        await service.history.flush()
        let key = try view(service, "notice").key(#require(Version(open)))
        #expect(try await history.records(of: [key]).map(\.usedAt) == [600 + HistoryBounds.useInterval])
    }

    @Test func versionsThatDifferByTheTickAloneAreNotStored() async throws {
        let history = HistoryInMemory()
        let service = try await service(of: Age(topics: topics), over: history)
        let first = try await service.snapshot(of: view(service, "age")).value.version
        clock.advance(by: .seconds(60))
        let second = try await service.snapshot(of: view(service, "age")).value.version
        topics.announce([Age.topic])
        clock.advance(by: .seconds(60))
        let third = try await service.snapshot(of: view(service, "age")).value.version
        await service.history.flush()
        let keys = try [first, second, third].map { try view(service, "age").key(#require(Version($0))) }
        #expect(Set(try await history.records(of: keys).map(\.key)) == [keys[0], keys[2]])
        let changes = try await service.changes(of: view(service, "age"), from: second).value
        #expect(changes.kind == .changeset)
    }

    @Test func anActionReadsTheTimeWithoutRecordingIt() async throws {
        let request = ScreenRequest(
            view: ScreenView(screen: "age", audience: .everyone, revision: 1, locale: .english, parameters: []), clock: clock
        )
        clock.advance(by: .seconds(30))
        #expect(request.now(every: .minutes(1)) == Date(timeIntervalSince1970: 600))
        #expect(request.now(every: .hours(1)) == Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: [(-1, -60), (-60, -60), (0, 0), (59, 0), (60, 60)])
    func ticksAreMultiplesOfTheIntervalOnBothSidesOf1970(now: Int64, tick: Int64) {
        #expect(TickInterval.minutes(1).tick(at: now) == tick)
        #expect(TickInterval.minutes(0) == .minutes(1))
    }

    @Test func theSystemClockCallsOnceItsTimeIsReached() async {
        let clock = SystemClock()
        let instant = clock.now + 1
        let seen = await withCheckedContinuation { continuation in
            _ = clock.schedule(at: instant) { continuation.resume(returning: clock.now) }
        }
        #expect(seen >= instant)
    }

    /// A screen that shows how many minutes have passed since 1970.
    private final class Age: Screen {
        static let name = "age"
        static let topic = Topic("age")
        let title: Text = "Age"
        let visibility = Visibility.everyone
        let topics: Topics
        let gate = Mutex<Gate?>(nil)

        init(topics: Topics) {
            self.topics = topics
        }

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            topics.recorder?.record(Self.topic)
            let minutes = Int(request.now(every: .minutes(1)).timeIntervalSince1970) / 60
            await gate.withLock { $0 }?.pass()
            // The other rows make the snapshot larger than a changeset.
            let rows = (0..<9).map { Row(id: "other-\($0)", text: "The other row with the number \($0)") }
            return ScreenContent(title: "Age", model: TableViewModel(cells: [Row(id: "age", text: "\(minutes) min")] + rows))
        }
    }

    /// A screen with an offer that ends 700 seconds after 1970.
    private struct Offer: Screen {
        static let name = "offer"
        let title: Text = "Offer"
        let visibility = Visibility.everyone

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            let end = Date(timeIntervalSince1970: 699.5)
            let row = Row(id: "bread", text: request.hasPassed(end) ? "full price" : "half price")
            return ScreenContent(title: "Offer", model: TableViewModel(cells: [row]))
        }
    }

    /// A screen with a text that states when it ends.
    private struct Notice: Screen {
        static let name = "notice"
        let title: Text = "Notice"
        let visibility = Visibility.everyone
        let clock: ManualClock

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            let row = Row(id: "notice", text: clock.now < 700 ? "open" : "closed")
            return ScreenContent(title: "Notice", until: Date(timeIntervalSince1970: 700), model: TableViewModel(cells: [row]))
        }
    }
}
