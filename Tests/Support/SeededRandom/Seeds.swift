import Foundation

/// The seeds of random tests, the same in each run. A seed is an argument of its test, so it is shown with a failure.
///
/// With `RELIST_SEED=17 swift test --filter …` the first seed is 17. Set the first seed to repeat a failure or to test new cases.
public enum Seeds {
    /// The seed in the environment variable `RELIST_SEED`, or `nil` if it is not set.
    public static let given: UInt64? = ProcessInfo.processInfo.environment["RELIST_SEED"].map { text in
        guard let seed = UInt64(text) else { fatalError("RELIST_SEED is \(text), not a whole number from 0 on") }
        return seed
    }

    private static let start: UInt64 = {
        print("random tests start at RELIST_SEED=\(given ?? 0)")
        return given ?? 0
    }()

    /// Returns `count` consecutive seeds.
    public static func first(_ count: UInt64) -> [UInt64] {
        (0..<count).map { start &+ $0 }
    }
}
