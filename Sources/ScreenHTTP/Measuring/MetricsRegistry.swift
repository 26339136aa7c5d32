public import CoreMetrics
import Synchronization

/// A backend of swift-metrics whose metrics can be requested as Prometheus text, and the functions that return the other metrics of a
/// server.
///
/// A metric has one instrument for each set of labels. Instruments with the same name and labels share their numbers. A metric that is
/// created with the name of a metric of another type is not shown.
public final class MetricsRegistry: MetricsFactory {
    /// The maximum number of sets of labels of one metric. Each further set counts as the set with the value `other` for all labels.
    static let labelSetLimit = 1000

    enum Kind: String {
        case counter, gauge, histogram
    }

    struct Label: Hashable, Comparable {
        let name: String
        let value: String

        static func < (a: Label, b: Label) -> Bool { (a.name, a.value) < (b.name, b.value) }
    }

    /// A number of a metric. The labels are sorted by their names.
    struct Sample {
        var labels: [Label] = []
        let value: Double
    }

    /// All instruments with one name, or a function that returns the numbers with this name.
    struct Family {
        let kind: Kind
        var help: String?
        var instruments: [[Label]: any Instrument] = [:]
        var read: (@Sendable () -> [Sample])?
    }

    private let state = Mutex<[String: Family]>([:])

    public init() {}

    var families: [String: Family] { state.withLock { $0 } }

    /// Returns the instrument with a name and labels, which is created if there is none.
    private func instrument<Made: Instrument>(
        _ name: String, _ kind: Kind, _ dimensions: [(String, String)], _ make: () -> Made
    ) -> Made {
        let name = PrometheusText.metricName(name)
        var labels = PrometheusText.labels(dimensions)
        return state.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            guard family.kind == kind, family.read == nil else { return make() }
            if family.instruments[labels] == nil, family.instruments.count >= Self.labelSetLimit {
                labels = labels.map { Label(name: $0.name, value: "other") }
            }
            if let existing = family.instruments[labels] { return existing as? Made ?? make() }
            let made = make()
            // One set beyond the limit is stored, which is that of `other`.
            guard family.instruments.count <= Self.labelSetLimit else { return made }
            family.instruments[labels] = made
            families[name] = family
            return made
        }
    }
}

// MARK: - Instruments of swift-metrics

extension MetricsRegistry {
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(label, .counter, dimensions) { CountingInstrument() }
    }

    public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        instrument(label, .counter, dimensions) { NumberInstrument() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(label, .gauge, dimensions) { NumberInstrument() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return instrument(label, .gauge, dimensions) { NumberInstrument() } }
        return instrument(label, .histogram, dimensions) { HistogramInstrument(.sizes) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        instrument(label, .histogram, dimensions) { HistogramInstrument(.durations) }
    }

    // The numbers of an instrument that is no longer used remain, because Prometheus expects counters not to disappear.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}

// MARK: - Values that are read

extension MetricsRegistry {
    /// Sets the description of the metric of an instrument, which swift-metrics has no place for.
    func describe(_ name: String, _ kind: Kind, _ help: String) {
        state.withLock { $0[name, default: Family(kind: kind)].help = help }
    }

    /// Adds a metric whose numbers a function returns each time that the metrics are requested.
    func observe(_ name: String, _ kind: Kind, _ help: String, read: @escaping @Sendable () -> [Sample]) {
        state.withLock { $0[name] = Family(kind: kind, help: help, read: read) }
    }

    func observe(_ name: String, _ kind: Kind, _ help: String, _ read: @escaping @Sendable () -> Int) {
        observe(name, kind, help) { [Sample(value: Double(read()))] }
    }

    func observe(_ name: String, _ kind: Kind, _ help: String, _ read: @escaping @Sendable () -> Double) {
        observe(name, kind, help) { [Sample(value: read())] }
    }

    /// Adds a metric with one label.
    func observe(
        _ name: String, _ kind: Kind, _ help: String, by label: String, _ read: @escaping @Sendable () -> [String: Double]
    ) {
        observe(name, kind, help) { read().map { Sample(labels: [Label(name: label, value: $0)], value: $1) } }
    }

    func observe(_ name: String, _ kind: Kind, _ help: String, by label: String, _ read: @escaping @Sendable () -> [String: Int]) {
        observe(name, kind, help, by: label) { read().mapValues(Double.init) }
    }
}
