import ScreenDiff

/// What the typed differ is compared with: one list in a dictionary, the other looked up in it.
enum Yardstick {
    static func lookedUp<ID: Hashable & SendableMetatype>(_ source: [ID], in target: [ID]) -> Int {
        var places: [ID: Int] = [:]
        places.reserveCapacity(target.count)
        for (place, element) in target.enumerated() { places[element] = place }
        return source.reduce(0) { places[$1] == nil ? $0 : $0 + 1 }
    }

    /// Measures it beside a diff, and prints how they compare.
    ///
    /// - Parameters:
    ///   - source: what the yardstick looks up, which need not be what is diffed.
    ///   - limit: how often the yardstick's time the diff may take at most.
    static func row<ID: Hashable & SendableMetatype>(
        _ what: String, over source: [ID], _ target: [ID], atMost limit: Double? = nil, diff: @escaping () -> [Stage]
    ) async throws {
        let times = try await Rounds.medians(
            budget: .seconds(2), { consume(diff()) }, { consume(lookedUp(source, in: target)) }
        )
        let ratio = times[0] / times[1]
        Table.row(
            what, "\(times[0].text), \(ratio.rounded(to: 2)) x yardstick, \(operationCount(of: diff())) operations",
            measured: ratio, atMost: limit.map { ($0, "\($0) x") }
        )
    }
}
