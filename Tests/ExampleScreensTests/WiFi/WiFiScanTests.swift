@testable import ExampleScreens
import ScreenService
import TemporaryDatabase
import Testing

struct WiFiScanTests {
    @Test func theSameSeedFindsTheSameStepByStep() {
        var (first, second, other) = (WiFiScan(seed: 1), WiFiScan(seed: 1), WiFiScan(seed: 2))
        var haveDiffered = false
        for _ in 0..<50 {
            first.advance()
            second.advance()
            other.advance()
            #expect(first == second)
            haveDiffered = haveDiffered || first.found != other.found
        }
        #expect(haveDiffered)
    }

    @Test func itChangesStrengthsAndOrderAndWhoIsInRange() {
        var scan = WiFiScan(seed: WiFiScanner.seed)
        var (orders, ranges, bars): (Set<[String]>, Set<Set<String>>, Set<[Int]>) = ([], [], [])
        for _ in 0..<100 {
            scan.advance()
            orders.insert(scan.found.map(\.network.id))
            ranges.insert(Set(scan.found.map(\.network.id)))
            bars.insert(scan.found.map(\.bars))
            #expect(scan.found.map(\.signal) == scan.found.map(\.signal).sorted(by: >))
            #expect(scan.found.allSatisfy { (1...4).contains($0.bars) && $0.signal >= WiFiScan.weakest })
        }
        #expect(orders.count > 10)
        #expect(ranges.count > 1)
        #expect(bars.count > 10)
    }

    @Test func aStepIsAnnouncedToWhomItConcerns() async {
        let (steps, go) = AsyncStream.makeStream(of: Void.self)
        let announcements = Announcements()
        let scanner = WiFiScanner(topics: announcements.topics) {
            var iterator = steps.makeAsyncIterator()
            if await iterator.next() == nil { throw CancellationError() }
        }
        let before = scanner.found(for: .user("demo"))
        let other = scanner.found(for: .user("other"))
        go.yield()
        go.yield()
        go.finish()
        await scanner.run(for: .user("demo"))
        #expect(announcements.all == [[Topic("wifi-scan/demo")], [Topic("wifi-scan/demo")]])
        #expect(scanner.found(for: .user("demo")) != before)
        #expect(scanner.found(for: .user("other")) == other)
    }
}
