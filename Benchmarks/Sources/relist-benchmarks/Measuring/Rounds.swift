/// A timer for several closures. The closures run in turns, A B A B …, so that other load on the machine affects all closures equally.
enum Rounds {
    private static let clock = ContinuousClock()
    private static let atLeast = 7
    private static let atMost = 1001

    /// Returns the median time of each closure. The number of rounds depends on `budget`.
    static func medians(
        budget: Duration = .seconds(1), _ bodies: (() async throws -> Void)...
    ) async throws -> [Duration] {
        for body in bodies { try await body() }
        var times: [[Duration]] = bodies.map { _ in [] }
        let end = clock.now + budget
        while times[0].count < atLeast || (clock.now < end && times[0].count < atMost) {
            for (index, body) in bodies.enumerated() {
                let start = clock.now
                try await body()
                times[index].append(clock.now - start)
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }
}

/// Uses a value, so that the optimiser does not remove the computation of the value.
@inline(never)
func consume<Value>(_ value: Value) {}
