import Logging
@testable import Relist
import ScreenService
import Testing

@Suite("The end of a server", .timeLimit(.minutes(1))) struct EndingTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func whatHangsInTheDatabaseDoesNotHoldItUp() async {
        await RelistServer.end("lost", logger, within: Deadline { pass in
            pass()
            return {}
        }) {
            // Nobody cancels it.
            try? await Task.detached { try await Task.sleep(for: .seconds(3600)) }.value
        }
    }

    @Test func itWaitsForWhatEnds() async {
        let (ended, hasEnded) = AsyncStream.makeStream(of: Int.self)
        await RelistServer.end("lost", logger, within: .after(.seconds(60))) {
            await Task.yield()
            hasEnded.yield(1)
            hasEnded.finish()
        }
        var values: [Int] = []
        for await value in ended { values.append(value) }
        #expect(values == [1])
    }
}
