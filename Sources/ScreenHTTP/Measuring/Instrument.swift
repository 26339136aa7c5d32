import CoreMetrics
import Synchronization

/// An instrument of a ``MetricsRegistry``. Recording a value takes a few relaxed atomic operations and no lock.
protocol Instrument: AnyObject, Sendable {
    var reading: InstrumentReading { get }
}

/// The numbers of an instrument at one time.
enum InstrumentReading {
    case number(Double)
    /// The number of values up to each bound, cumulative, and the sum of all values. The last bound is infinite.
    case histogram(buckets: [(bound: Double, count: Int)], sum: Double)
}

final class CountingInstrument: Instrument, CounterHandler {
    private let count = Atomic<Int64>(0)

    var reading: InstrumentReading { .number(Double(count.load(ordering: .relaxed))) }

    func increment(by amount: Int64) {
        count.add(amount, ordering: .relaxed)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }
}

/// A gauge, or a counter of numbers that are not whole.
final class NumberInstrument: Instrument, MeterHandler, RecorderHandler, FloatingPointCounterHandler {
    private let number = Atomic<Double>(0)

    var reading: InstrumentReading { .number(number.load(ordering: .relaxed)) }

    func set(_ value: Int64) { set(Double(value)) }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func decrement(by amount: Double) { increment(by: -amount) }
    func reset() { set(0.0) }

    func set(_ value: Double) {
        number.store(value, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        var old = number.load(ordering: .relaxed)
        while true {
            let (isExchanged, found) = number.weakCompareExchange(expected: old, desired: old + amount, ordering: .relaxed)
            if isExchanged { return }
            old = found
        }
    }
}

/// A distribution of durations or of other numbers, with fixed buckets.
final class HistogramInstrument: Instrument, TimerHandler, RecorderHandler {
    /// The buckets of a distribution. Values are counted in whole units, so that all additions are atomic.
    struct Scale {
        /// The upper bound of each bucket but the last one, in units.
        fileprivate let bounds: InlineArray<15, Int64>
        fileprivate let unitsPerValue: Double

        /// Durations from 0.1 ms to 10 s. A unit is a nanosecond.
        static let durations = Scale(
            bounds: [
                100_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
                500_000_000,
                1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
            ], unitsPerValue: 1e9
        )
        /// Numbers from 1 to 4^14 (256 Mi), such as bytes. A unit is a thousandth.
        static let sizes = Scale(bounds: InlineArray { 1000 << (2 * Int64($0)) }, unitsPerValue: 1000)
    }

    private let scale: Scale
    /// The number of values in each bucket. The last one has the values above all bounds.
    private let counts = InlineArray<16, Atomic<Int>> { _ in Atomic(0) }
    private let sum = Atomic<Int64>(0)

    init(_ scale: Scale) {
        self.scale = scale
    }

    func recordNanoseconds(_ duration: Int64) { record(units: duration) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let units = (value * scale.unitsPerValue).rounded()
        // A number that cannot be added is not recorded.
        if let units = Int64(exactly: units) { record(units: units) }
    }

    private func record(units: Int64) {
        var bucket = 0
        while bucket < scale.bounds.count, units > scale.bounds[bucket] { bucket += 1 }
        counts[bucket].add(1, ordering: .relaxed)
        sum.wrappingAdd(units, ordering: .relaxed)
    }

    var reading: InstrumentReading {
        var (total, buckets) = (0, [(bound: Double, count: Int)]())
        for index in counts.indices {
            total += counts[index].load(ordering: .relaxed)
            let bound = index < scale.bounds.count ? Double(scale.bounds[index]) / scale.unitsPerValue : .infinity
            buckets.append((bound, total))
        }
        return .histogram(buckets: buckets, sum: Double(sum.load(ordering: .relaxed)) / scale.unitsPerValue)
    }
}
