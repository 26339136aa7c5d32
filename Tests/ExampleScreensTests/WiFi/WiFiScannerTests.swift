import ExampleRecords
import Logging
import RelistSQLite
import ScreenService
import Synchronization
import TemporaryDatabase
import Testing

@testable import ExampleScreens

struct WiFiScannerTests {
    private let announcements = Announcements()
    private let time = PassingTime(since: .seconds(1_000_000))

    @Test func scannersOfAllReplicasFindTheSameNetworksAtTheSameTime() {
        let (one, other) = (scanner(), WiFiScanner(topics: Topics(), now: { [time] in time.now }))
        #expect(one.found(for: .user("demo")) == other.found(for: .user("other")))
    }

    @Test func aStepOfTheScannerLastsTwoSeconds() {
        let first = scanner().found(for: .user("demo"))
        time.pass(.milliseconds(1999))
        #expect(scanner().found(for: .user("demo")) == first)
        time.pass(.milliseconds(1))
        #expect(scanner().found(for: .user("demo")) == WiFiScan(seed: WiFiScanner.seed, step: 500_001).found)
    }

    @Test(arguments: [500, 1500]) func theScanTopicOfTheUserIsAnnouncedWhenAStepBegins(begunAt offset: Int) async {
        time.pass(.milliseconds(offset))
        for _ in 0..<3 { time.endSleep() }
        time.endAllSleep()
        await scanner().run(for: .user("demo"))
        #expect(announcements.commits == [["wifi-scan/demo"], ["wifi-scan/demo"], ["wifi-scan/demo"]])
        #expect(time.sleeps == [.milliseconds(2000 - offset), .seconds(2), .seconds(2), .seconds(2)])
    }

    @Test func aScannerSleepsAgainIfItWakesEarlyAndSkipsStepsIfItWakesLate() async {
        time.endSleep(after: .milliseconds(1990))
        time.endSleep()
        time.endSleep(after: .milliseconds(7500))
        time.endAllSleep()
        await scanner().run(for: .user("demo"))
        #expect(announcements.all.count == 2)
        #expect(time.sleeps == [.seconds(2), .milliseconds(10), .seconds(2), .milliseconds(500)])
    }

    @Test func theScannerNoticesWithinOneStepThatTheClockWasSetBack() async {
        time.pass(.seconds(3600))
        time.endSleep()
        time.endSleep(after: .seconds(-3600))
        time.endSleep()
        time.endAllSleep()
        await scanner().run(for: .user("demo"))
        #expect(announcements.all.count == 3)
        #expect(time.sleeps == [.seconds(2), .seconds(2), .seconds(2), .seconds(2)])
    }

    @Test func aViewIsUpdatedWithNewScansOnlyWhileTheViewHasFollowers() async throws {
        try await withDatabase(of: WiFiTransaction.self) { database in
            let wifi = WiFi(store: Store(in: database), scanner: scanner(database.topics))
            let service = try await ScreenService(
                catalog: try ScreenCatalog([wifi], locales: [.english]), store: database,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let view = try service.catalog.view(of: WiFi.name, parameters: [], locale: .english, caller: .user("demo"))
            let first = try await service.snapshot(of: view).value
            time.pass(.seconds(3600))
            #expect(try await service.snapshot(of: view).value.version == first.version)

            let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
            let subscription = try await service.follow(view) { wake.yield() }.value
            time.endSleep()
            for await _ in wakes { break }
            let watched = try await service.snapshot(of: view).value
            let found = WiFiScan(seed: WiFiScanner.seed, step: 501_801).found
            #expect(cells(of: watched.text) == found.map(\.network.id))
            #expect(watched.version != first.version)
            subscription.cancel()
        }
    }

    private func scanner(_ topics: Topics? = nil) -> WiFiScanner {
        WiFiScanner(topics: topics ?? announcements.topics, now: { [time] in time.now }, sleep: time.sleep)
    }

    /// Returns the ids of the networks in a document, in the order of their cells.
    private func cells(of text: String) -> [String] {
        text.split(separator: #"{"id":""#).map { String($0.prefix { $0 != "\"" }) }.filter { WiFiNetwork.known[$0] != nil }
    }
}

/// A clock that a test advances.
private final class PassingTime: Sendable {
    private let time: Mutex<Duration>
    private let durations = RecordedValues<Duration>()
    private let ends = AsyncStream.makeStream(of: Duration?.self)

    init(since time: Duration) {
        self.time = Mutex(time)
    }

    var now: Duration { time.withLock { $0 } }
    /// The requested durations of all sleeps so far.
    var sleeps: [Duration] { durations.all }

    func pass(_ duration: Duration) {
        time.withLock { $0 += duration }
    }

    func sleep(_ duration: Duration) async throws {
        durations.add(duration)
        for await end in ends.stream { return pass(end ?? duration) }
        throw CancellationError()
    }

    /// Advances the clock and ends the next sleep. The clock is advanced by the given duration, or else by the requested duration
    /// of the sleep.
    func endSleep(after duration: Duration? = nil) {
        ends.continuation.yield(duration)
    }

    /// Cancels the next sleep and all later sleeps.
    func endAllSleep() {
        ends.continuation.finish()
    }
}
