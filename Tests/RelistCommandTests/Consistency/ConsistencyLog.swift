import ScreenService
import ScreenWire
import Synchronization
import Testing

/// A log of all commits and of the documents that clients received. At the end of a test, the log checks that the documents are consistent
/// with the commits.
///
/// On an engine whose commits have positions, a document is consistent if all its facts were true at one position. This position must not
/// be before the position that the client sent, nor before the position of the previous document that the same replica sent to the client.
final class ConsistencyLog: Sendable {
    /// A view that one client receives from one replica. No document of the view may show an older state than the previous document.
    struct View: Hashable {
        let client: String
        let replica: Int
        let target: String
    }

    private struct Observation {
        let version: String
        /// The position of a commit that the document must include.
        let floor: Position?
    }

    private struct State {
        var initialState: [String: String] = [:]
        var changes: [(position: Position, change: FactChange)] = []
        var documents: [String: (text: String, isWhole: Bool)] = [:]
        var observations: [View: [Observation]] = [:]
    }

    private let hasPositions: Bool
    private let state = Mutex(State())

    init(hasPositions: Bool) {
        self.hasPositions = hasPositions
    }

    /// The position of the last recorded commit.
    var lastPosition: Position? { state.withLock { $0.changes.map(\.position).max() } }

    /// Records the facts that are true before the first write.
    func noteInitialState(_ document: JSONValue) {
        state.withLock { $0.initialState.merge(Facts(of: document, isWhole: true).values) { $1 } }
    }

    func note(_ changes: [FactChange], at position: Position) {
        state.withLock { state in state.changes += changes.map { (position, $0) } }
    }

    /// Records a document that a client has received. The document must include the commit at the position `floor`.
    func note(_ document: String, of version: String, shownTo view: View, notBefore floor: Position?) {
        let earlier = state.withLock { state in
            state.observations[view, default: []].append(Observation(version: version, floor: floor))
            return state.documents.updateValue((document, !view.target.contains("from=")), forKey: version)
        }
        if let earlier { #expect(earlier.text == document) }
    }
}

// MARK: - Checking

extension ConsistencyLog {
    /// Expects that all recorded documents are consistent with the recorded commits.
    func check() throws {
        let state = state.withLock { $0 }
        let history = FactHistory(from: state.initialState, state.changes)
        var times: [String: RangeSet<Int64>] = [:]
        for (version, (text, isWhole)) in state.documents {
            let document = try JSONReader.read(Array(text.utf8))
            if document["screen"]?.text == "deliveries" { try ContractPage(document).expectRules(isWhole: isWhole) }
            guard hasPositions else { continue }
            times[version] = history.positions(of: Facts(of: document, isWhole: isWhole))
            #expect(times[version]?.isEmpty == false, "no committed state looks like this: \(text)")
        }
        for (view, observations) in state.observations { check(observations, of: view, times) }
    }

    private func check(_ observations: [Observation], of view: View, _ times: [String: RangeSet<Int64>]) {
        var present: Int64 = 0
        for observation in observations {
            // A document that is consistent at no position has already been reported.
            guard let times = times[observation.version], !times.isEmpty else { continue }
            let floor = observation.floor?.number ?? 0
            if let time = times.first(from: max(floor, present)) {
                present = time
            } else if times.first(from: floor) != nil {
                Issue.record("\(view) went back before position \(present): \(times)")
            } else {
                Issue.record("\(view) does not include the position \(floor) that the client sent: \(times)")
            }
        }
    }
}

/// The values of each fact, with the positions at which the values became true.
private struct FactHistory {
    private var series: [String: [(position: Int64, value: String?)]]

    init(from initialState: [String: String], _ changes: [(position: Position, change: FactChange)]) {
        series = initialState.mapValues { [(position: Int64(0), value: $0)] }
        for (position, change) in changes.sorted(by: { $0.position < $1.position }) {
            let value: String? =
                switch change {
                case .set(_, let value): value
                case .remove: nil
                case .add(let name, let change): series[name]?.last?.value.flatMap { Int($0) }.map { String($0 + change) }
                }
            series[change.name, default: []].append((position.number, value))
        }
    }

    /// Returns the positions at which all of these facts were true.
    func positions(of facts: Facts) -> RangeSet<Int64> {
        facts.values.reduce(RangeSet(0..<Int64.max)) { $0.intersection(positions(of: $1.value, for: $1.key)) }
    }

    private func positions(of value: String, for name: String) -> RangeSet<Int64> {
        let steps = series[name] ?? []
        // The log does not know the initial values of a delivery that a client has scheduled. So any value is accepted before
        // the first recorded change of the delivery.
        var held = RangeSet(0..<(steps.first?.position ?? .max))
        for (index, step) in steps.enumerated() where step.value == value {
            held.insert(contentsOf: step.position..<(index + 1 < steps.count ? steps[index + 1].position : .max))
        }
        return held
    }
}

extension RangeSet<Int64> {
    /// Returns the smallest element that is at least `bound`, or nil if there is none.
    fileprivate func first(from bound: Int64) -> Int64? {
        ranges.first { $0.upperBound > bound }.map { Swift.max($0.lowerBound, bound) }
    }
}
