import Foundation

/// The seeds of random tests: the same in each run. Each is an argument of its test, so that it is named with what fails.
///
/// `RELIST_SEED=17 swift test --filter …` begins at that one instead: to repeat a failure, or to look where nobody
/// looked yet.
public enum Seeds {
    /// The seed that the environment gives.
    public static let given: UInt64? = ProcessInfo.processInfo.environment["RELIST_SEED"].map { text in
        guard let seed = UInt64(text) else { fatalError("RELIST_SEED is \(text), not a whole number from 0 on") }
        return seed
    }

    private static let start: UInt64 = {
        print("random tests begin at RELIST_SEED=\(given ?? 0)")
        return given ?? 0
    }()

    public static func first(_ count: UInt64) -> [UInt64] {
        (0..<count).map { start &+ $0 }
    }
}
