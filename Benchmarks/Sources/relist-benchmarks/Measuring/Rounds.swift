/// Times things side by side: A B A B …, so that whatever else the machine does meets all alike.
enum Rounds {
    private static let clock = ContinuousClock()
    private static let atLeast = 7
    private static let atMost = 1001

    /// The median time of each, over as many rounds as fit into `budget`.
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

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never)
func consume<Value>(_ value: Value) {}
