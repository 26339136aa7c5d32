import CMalloc
import ExampleRecords
import Glibc
import ScreenService
import Synchronization

/// The cost of one change, or the total cost since the start of the program.
struct Cost {
    /// Milliseconds of processor time, summed over all threads.
    var milliseconds: Double
    var allocations: Int
    /// Milliseconds spent in read transactions.
    var reading: Double
    /// Milliseconds spent on each kind of work.
    var work: [ServiceMetrics.Work: Double]
    /// Milliseconds from the moment when the follower received the change until history has stored the new version.
    var history = 0.0

    /// Reads the total cost since the start of the program.
    init(of service: ScreenService, _ reading: Stopwatch) {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        milliseconds = Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        allocations = counted_allocations()
        self.reading = reading.total / .milliseconds(1)
        work = service.metrics.durations.mapValues { $0 / .milliseconds(1) }
    }

    private init(
        milliseconds: Double, allocations: Int, reading: Double, work: [ServiceMetrics.Work: Double], history: Double
    ) {
        (self.milliseconds, self.allocations, self.reading, self.work) = (milliseconds, allocations, reading, work)
        self.history = history
    }

    static func - (a: Cost, b: Cost) -> Cost {
        Cost(
            milliseconds: a.milliseconds - b.milliseconds, allocations: a.allocations - b.allocations,
            reading: a.reading - b.reading, work: a.work.merging(b.work, uniquingKeysWith: -), history: 0
        )
    }

    /// Returns the median of several costs. The median is computed separately for each property.
    static func median(of costs: [Cost]) -> Cost {
        func median<Number: Comparable>(_ number: (Cost) -> Number) -> Number {
            costs.map(number).sorted()[costs.count / 2]
        }
        let work = ServiceMetrics.Work.allCases.map { work in (work, median { $0.work[work] ?? 0 }) }
        return Cost(
            milliseconds: median(\.milliseconds), allocations: median(\.allocations), reading: median(\.reading),
            work: Dictionary(uniqueKeysWithValues: work), history: median(\.history)
        )
    }

    /// A text with the wall-clock time of each part of a change, in milliseconds. The action itself and the time to wake threads are not
    /// included.
    var partsText: String {
        var parts = [("read", reading), ("model", (work[.content] ?? 0) - reading)]
        parts += [("render", .rendering), ("hash", .hashing), ("encode", .encoding), ("diff", .diffing), ("write", .writing)]
            .map { ($0, work[$1] ?? 0) }
        return (parts + [("history", history)]).map { "\($0) \($1.rounded(to: 3))" }.joined(separator: ", ") + " ms"
    }
}

/// A sum of measured times.
final class Stopwatch: Sendable {
    private let time = Mutex(Duration.zero)

    var total: Duration { time.withLock { $0 } }

    func timing<Value>(_ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { time.withLock { $0 += .now - start } }
        return try body()
    }
}

/// A store that measures the time of its read transactions.
struct TimedStore<Database: RecordStoring>: RecordStoring {
    let store: Database
    let reading: Stopwatch

    func read<Value: Sendable>(_ body: @Sendable @escaping (Database.Transaction) throws -> Value) async throws -> Value {
        try await store.read { [reading] transaction in try reading.timing { try body(transaction) } }
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (Database.Transaction) throws -> Value) async throws -> Value {
        try await store.write(body)
    }
}
