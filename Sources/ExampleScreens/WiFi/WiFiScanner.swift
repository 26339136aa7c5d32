import Foundation
import ScreenService

/// The scan of now, the same for all who look at a time, on whichever replica.
///
/// A step lasts ``interval``, counted from 1970. Who watches is told of each. What was computed while nobody does stands
/// still, as whatever was read does until it is announced: it shows the step at which it was computed, and is
/// computed anew one step after somebody watches.
final class WiFiScanner: Sendable {
    static let interval = Duration.seconds(2)
    static let seed: UInt64 = 2018_07_12

    private let topics: Topics
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - topics: is told after each step.
    ///   - now: the time since 1970, by a clock that all replicas share.
    ///   - sleep: lets so much time pass; throws when it is cancelled.
    init(
        topics: Topics, now: @escaping @Sendable () -> Duration = timeSince1970,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.topics = topics
        self.now = now
        self.sleep = sleep
    }

    static let timeSince1970: @Sendable () -> Duration = { .seconds(Date().timeIntervalSince1970) }

    /// The networks in range for an audience, the strongest first. Recorded as read.
    func found(for audience: Audience) -> [FoundNetwork] {
        // Before the time is read: what is announced from here on makes the reader compute anew.
        topics.recorder?.record(Self.topic(of: audience))
        return WiFiScan(seed: Self.seed, step: step).found
    }

    /// Announces each step as it begins, until its task is cancelled.
    func run(for audience: Audience) async {
        var announced = step
        // At most a step long, also where the clock is set back.
        while (try? await sleep(min(Self.interval, Self.interval * (announced + 1) - now()))) != nil, !Task.isCancelled {
            // What sleeps has another clock, and may wake before the step has begun.
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
