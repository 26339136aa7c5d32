import CoreMetrics
import Glibc
import Synchronization

/// An instrument of a ``MetricsRegistry``. Recording a value takes a few relaxed atomic operations and no lock.
///
/// Threads add to different numbers, which stand in different cache lines. Otherwise the threads that serve connections would wait for each
/// other's cache lines at each request. A reading is the sum.
protocol Instrument: AnyObject, Sendable {
    var reading: InstrumentReading { get }
}

/// The numbers of an instrument at one time.
enum InstrumentReading {
    case number(Double)
    /// The number of values up to each bound, cumulative, and the sum of all values. The last bound is infinite.
    case histogram(buckets: [(bound: Double, count: Int)], sum: Double)
}

/// The numbers to which a thread adds. If there are more threads than shards, some threads share numbers.
private enum Shard {
    static let count = 8

    /// The shard of the current thread. The stacks of threads that are started one after the other are next to each other, and their distance
    /// is an odd number of pages, because a guard page separates them. So these threads have different shards.
    static var ofThisThread: Int { Int(UInt(pthread_self()) >> 12) & (count - 1) }
}

final class CountingInstrument: Instrument, CounterHandler {
    /// The distance of two counts, which is the size of a cache line.
    private static let stride = 8

    private let counts = InlineArray<64, Atomic<Int64>> { _ in Atomic(0) }

    var reading: InstrumentReading {
        .number(Double((0..<Shard.count).reduce(0) { $0 &+ counts[$1 * Self.stride].load(ordering: .relaxed) }))
    }

    func increment(by amount: Int64) {
        counts[Shard.ofThisThread * Self.stride].wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        for shard in 0..<Shard.count { counts[shard * Self.stride].store(0, ordering: .relaxed) }
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

    private static let bucketCount = 16
    /// The number of places of a shard: the buckets, the sum, and the rest of three cache lines.
    private static let stride = 24

    private let scale: Scale
    /// The number of values in each bucket, and then their sum. The last bucket has the values above all bounds.
    private let numbers = InlineArray<192, Atomic<Int64>> { _ in Atomic(0) }

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
        let place = Shard.ofThisThread * Self.stride
        numbers[place + bucket].wrappingAdd(1, ordering: .relaxed)
        numbers[place + Self.bucketCount].wrappingAdd(units, ordering: .relaxed)
    }

    /// Returns the sum of a number over all shards.
    private func total(_ index: Int) -> Int64 {
        (0..<Shard.count).reduce(0) { $0 &+ numbers[$1 * Self.stride + index].load(ordering: .relaxed) }
    }

    var reading: InstrumentReading {
        var (count, buckets) = (0, [(bound: Double, count: Int)]())
        for index in 0..<Self.bucketCount {
            count += Int(total(index))
            let bound = index < scale.bounds.count ? Double(scale.bounds[index]) / scale.unitsPerValue : .infinity
            buckets.append((bound, count))
        }
        return .histogram(buckets: buckets, sum: Double(total(Self.bucketCount)) / scale.unitsPerValue)
    }
}
