import ScreenService
import Synchronization

/// The scans for those who watch, step by step.
final class WiFiScanner: Sendable {
    static let interval = Duration.seconds(2)
    static let seed: UInt64 = 2018_07_12

    /// Those that were watched last; the others begin anew.
    private let scans = Mutex(CostBoundedCache<Audience, WiFiScan>(costLimit: 10_000))
    private let topics: Topics
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - topics: is told after each step.
    ///   - pause: what passes between two steps; throws when it is cancelled.
    init(
        topics: Topics,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: interval) }
    ) {
        self.topics = topics
        self.pause = pause
    }

    /// The networks in range for an audience, the strongest first. Recorded as read.
    func found(for audience: Audience) -> [FoundNetwork] {
        topics.recorder?.record(Self.topic(of: audience))
        return scans.withLock { $0.use(audience) ?? WiFiScan(seed: Self.seed) }.found
    }

    /// Scans again and again until its task is cancelled. The next run goes on where it stopped.
    func run(for audience: Audience) async {
        while (try? await pause()) != nil, !Task.isCancelled {
            scans.withLock { scans in
                var scan = scans.use(audience) ?? WiFiScan(seed: Self.seed)
                scan.advance()
                _ = scans.insert(scan, for: audience, cost: 1)
            }
            topics.announce([Self.topic(of: audience)])
        }
    }

    private static func topic(of audience: Audience) -> Topic {
        switch audience {
        case .everyone: Topic("wifi-scan")
        case .user(let user): Topic("wifi-scan/\(user)")
        }
    }
}
