public import CoreMetrics

/// Sends the numbers that are otherwise read on request to another backend of swift-metrics, because other backends do not request them.
/// Instruments need no forwarding: they are made in both backends.
public struct ForwardedMetrics {
    private let registry: MetricsRegistry
    private let backend: any MetricsFactory
    private var counters: [String: (handler: any FloatingPointCounterHandler, last: Double)] = [:]
    private var gauges: [String: any MeterHandler] = [:]

    public init(of registry: MetricsRegistry, to backend: any MetricsFactory) {
        (self.registry, self.backend) = (registry, backend)
    }

    /// Sends all numbers: gauges as they are, and counters as the difference to the last call.
    public mutating func send() {
        for (name, family) in registry.families {
            for sample in family.read?() ?? [] { send(sample, as: name, family.kind) }
        }
    }

    private mutating func send(_ sample: MetricsRegistry.Sample, as name: String, _ kind: MetricsRegistry.Kind) {
        let key = "\(name) \(sample.labels)"
        let labels = sample.labels.map { ($0.name, $0.value) }
        guard kind == .counter else {
            let gauge = gauges[key] ?? backend.makeMeter(label: name, dimensions: labels)
            gauges[key] = gauge
            return gauge.set(sample.value)
        }
        let (handler, last) = counters[key] ?? (backend.makeFloatingPointCounter(label: name, dimensions: labels), 0)
        if sample.value > last { handler.increment(by: sample.value - last) }
        counters[key] = (handler, sample.value)
    }
}
