import Foundation

/// The seeds of random tests: the same in each run, and named with what fails.
///
/// `RELIST_SEED` gives the first instead: one that was named, or any other for pairs that nobody has seen.
enum Seeds {
    private static let start: UInt64 = {
        let start = ProcessInfo.processInfo.environment["RELIST_SEED"].flatMap { UInt64($0) } ?? 0
        print("The differ's random tests begin at RELIST_SEED=\(start)")
        return start
    }()

    static func first(_ count: UInt64) -> [UInt64] {
        (0..<count).map { start &+ $0 }
    }
}
