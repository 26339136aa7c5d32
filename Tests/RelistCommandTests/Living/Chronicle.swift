import ScreenService
import ScreenWire
import Synchronization
import Testing

/// What was committed at which position, and what each client was shown after what, to be judged once all is known.
///
/// Where commits have positions, a document is right if there is one at which all its facts held. What one client is shown of
/// a view by one replica is right if there are such positions that never decrease, none of them before what the client sent.
final class Chronicle: Sendable {
    /// Who is shown what, by whom: within these nothing goes back.
    struct Watch: Hashable {
        let client: String
        let replica: Int
        let target: String
    }

    private struct Sight {
        let version: String
        /// What it must not be from before.
        let floor: Position?
    }

    private struct State {
        var beginnings: [String: String] = [:]
        var deeds: [(position: Position, deed: Deed)] = []
        var documents: [String: (text: String, isWhole: Bool)] = [:]
        var sights: [Watch: [Sight]] = [:]
    }

    private let hasPositions: Bool
    private let state = Mutex(State())

    init(hasPositions: Bool) {
        self.hasPositions = hasPositions
    }

    /// The position of the last commit.
    var lastPosition: Position? { state.withLock { $0.deeds.map(\.position).max() } }

    /// Notes what is there before anybody writes.
    func noteBeginning(_ document: JSONValue) {
        state.withLock { $0.beginnings.merge(Facts(of: document, isWhole: true).values) { $1 } }
    }

    func note(_ deeds: [Deed], at position: Position) {
        state.withLock { state in state.deeds += deeds.map { (position, $0) } }
    }

    /// Notes that a client holds a document, after an answer that must not be from before `floor`.
    func note(_ document: String, of version: String, shownTo watch: Watch, notBefore floor: Position?) {
        let earlier = state.withLock { state in
            state.sights[watch, default: []].append(Sight(version: version, floor: floor))
            return state.documents.updateValue((document, !watch.target.contains("from=")), forKey: version)
        }
        if let earlier { #expect(earlier.text == document) }
    }
}

// MARK: - Judging

extension Chronicle {
    /// Expects of all that was noted that it is right.
    func judge() throws {
        let state = state.withLock { $0 }
        let past = Past(from: state.beginnings, state.deeds)
        var times: [String: RangeSet<Int64>] = [:]
        for (version, (text, isWhole)) in state.documents {
            let document = try JSONReader.read(Array(text.utf8))
            if document["screen"]?.text == "deliveries" { try ContractPage(document).expectRules(isWhole: isWhole) }
            guard hasPositions else { continue }
            times[version] = past.positions(of: Facts(of: document, isWhole: isWhole))
            #expect(times[version]?.isEmpty == false, "no committed state looks like this: \(text)")
        }
        for (watch, sights) in state.sights { judge(sights, of: watch, times) }
    }

    private func judge(_ sights: [Sight], of watch: Watch, _ times: [String: RangeSet<Int64>]) {
        var present: Int64 = 0
        for sight in sights {
            // That there is no such state is said once, not by all who were shown it.
            guard let times = times[sight.version], !times.isEmpty else { continue }
            let floor = sight.floor?.number ?? 0
            if let time = times.first(from: max(floor, present)) {
                present = time
            } else if times.first(from: floor) != nil {
                Issue.record("\(watch) is shown what was before \(present), which it saw there: \(times)")
            } else {
                Issue.record("\(watch) is shown what was before \(floor), which it said it had seen: \(times)")
            }
        }
    }
}

/// Which facts held at which positions.
private struct Past {
    private var series: [String: [(position: Int64, value: String?)]]

    init(from beginnings: [String: String], _ deeds: [(position: Position, deed: Deed)]) {
        series = beginnings.mapValues { [(position: Int64(0), value: $0)] }
        for (position, deed) in deeds.sorted(by: { $0.position < $1.position }) {
            let value: String? =
                switch deed {
                case .set(_, let value): value
                case .end: nil
                case .add(let name, let change): series[name]?.last?.value.flatMap { Int($0) }.map { String($0 + change) }
                }
            series[deed.name, default: []].append((position.number, value))
        }
    }

    /// The positions at which all of them held.
    func positions(of facts: Facts) -> RangeSet<Int64> {
        facts.values.reduce(RangeSet(0..<Int64.max)) { $0.intersection(positions(of: $1.value, for: $1.key)) }
    }

    private func positions(of value: String, for name: String) -> RangeSet<Int64> {
        let steps = series[name] ?? []
        // What a delivery was scheduled with is not known here: anything, until somebody changed it.
        var held = RangeSet(0..<(steps.first?.position ?? .max))
        for (index, step) in steps.enumerated() where step.value == value {
            held.insert(contentsOf: step.position..<(index + 1 < steps.count ? steps[index + 1].position : .max))
        }
        return held
    }
}

extension RangeSet<Int64> {
    /// The first element that is not below one.
    fileprivate func first(from bound: Int64) -> Int64? {
        ranges.first { $0.upperBound > bound }.map { Swift.max($0.lowerBound, bound) }
    }
}
