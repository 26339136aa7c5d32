import Foundation
import ScreenService

/// A scanner that returns the scan of the current step, which is the same on all replicas. The time since 1970 is divided into steps of
/// ``interval``.
///
/// While a view has followers, the topic of its scan is announced at the beginning of each step, so that the view is computed again. A
/// cached view without followers keeps its networks. When such a view gets a follower, the view is refreshed at the beginning of the next
/// step.
final class WiFiScanner: Sendable {
    static let interval = Duration.seconds(2)
    static let seed: UInt64 = 2018_07_12

    private let topics: Topics
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    init(
        topics: Topics, now: @escaping @Sendable () -> Duration = timeSince1970,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.topics = topics
        self.now = now
        self.sleep = sleep
    }

    static let timeSince1970: @Sendable () -> Duration = { .seconds(Date().timeIntervalSince1970) }

    /// Returns the networks in range, the strongest first. Also records the topic of the scan as read by the view, so that the view becomes
    /// outdated when this topic is announced.
    func found(for audience: Audience) -> [FoundNetwork] {
        // The topic is recorded before the current step is determined, so that an announcement of a later step makes the result outdated.
        topics.recorder?.record(Self.topic(of: audience))
        return WiFiScan(seed: Self.seed, step: step).found
    }

    /// Announces the topic of the scan when each step begins, until the task is cancelled.
    func run(for audience: Audience) async {
        var announced = step
        // The sleep lasts at most one step, even if the clock is set back.
        while (try? await sleep(min(Self.interval, Self.interval * (announced + 1) - now()))) != nil, !Task.isCancelled {
            // The sleep does not use the clock of `now`, so it may end before the next step begins.
            guard step != announced else { continue }
            announced = step
            topics.announce([Self.topic(of: audience)])
        }
    }

    /// The number of steps since 1970.
    private var step: Int { Int((now() / Self.interval).rounded(.down)) }

    private static func topic(of audience: Audience) -> Topic {
        switch audience {
        case .everyone: Topic("wifi-scan")
        case .user(let user): Topic("wifi-scan/\(user)")
        }
    }
}
