import ScreenDiff

/// A simple computation whose time is compared with the time of a typed diff. It puts the elements of one list into a dictionary and looks
/// up the elements of the other list in the dictionary.
enum Yardstick {
    static func lookedUp<ID: Hashable & SendableMetatype>(_ source: [ID], in target: [ID]) -> Int {
        var places: [ID: Int] = [:]
        places.reserveCapacity(target.count)
        for (place, element) in target.enumerated() { places[element] = place }
        return source.reduce(0) { places[$1] == nil ? $0 : $0 + 1 }
    }

    /// Measures the yardstick and a diff alternately, and prints the ratio of their times.
    ///
    /// - Parameters:
    ///   - source: the list whose elements the yardstick looks up. The diff may compare different lists.
    ///   - limit: the maximum time of the diff, as a multiple of the yardstick's time.
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
