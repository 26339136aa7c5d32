import Synchronization
import Testing

@testable import ScreenService

@Suite("Batched look-ups", .timeLimit(.minutes(1))) struct BatchedLookupsTests {
    private struct Failure: Error {}

    private let turns = Turns()
    private let lookups = BatchedLookups<Int, String>(batchLimit: 3, waitingLimit: 5)
    private let batches = Batches()

    private final class Batches: Sendable {
        let keys = Mutex<[[Int]]>([])
    }

    /// Looks up a key. The look-up of the key 0 fails. Keys of 100 or more have no value.
    ///
    /// - Parameter gate: A gate at which the batch waits.
    private func lookUp(_ key: Int, _ gate: Gate? = nil) -> Task<String?, any Error> {
        turns.start { [lookups, batches] in
            try await lookups.value(of: key) { keys in
                batches.keys.withLock { $0.append(keys.sorted()) }
                await gate?.pass()
                if keys.contains(0) { throw Failure() }
                return Dictionary(uniqueKeysWithValues: keys.filter { $0 < 100 }.map { ($0, "\($0)") })
            }
        }
    }

    @Test func aKeyThatIsRequestedDuringABatchIsLookedUpInALaterBatch() async throws {
        let gate = Gate()
        let first = lookUp(1, gate)
        await gate.isReached()
        // The running batch may have read the value of the key 1 before this request. Therefore the next batch looks up this key again.
        let later = [lookUp(1), lookUp(2), lookUp(1), lookUp(100)]
        while lookups.waitingCount < 4 { await Task.yield() }
        gate.open()
        #expect(try await first.awaited == "1")
        for (task, value) in zip(later, ["1", "2", "1", nil]) { #expect(try await task.awaited == value) }
        #expect(batches.keys.withLock(\.self) == [[1], [1, 2], [100]])
    }

    @Test func lookUpsAreRejectedIfTooManyLookUpsAreWaiting() async throws {
        let gate = Gate()
        let first = lookUp(1, gate)
        await gate.isReached()
        let waiting = (0..<5).map { _ in lookUp(2) }
        while lookups.waitingCount < 5 { await Task.yield() }
        await #expect(throws: BatchedLookups<Int, String>.Overload.self) { try await lookUp(3).awaited }
        gate.open()
        for task in [first] + waiting { _ = try await task.awaited }
    }

    @Test func onlyTheLookUpsInAFailedBatchFail() async throws {
        let gate = Gate()
        let first = lookUp(0, gate)
        await gate.isReached()
        let second = lookUp(1)
        while lookups.waitingCount < 1 { await Task.yield() }
        gate.open()
        await #expect(throws: Failure.self) { try await first.awaited }
        #expect(try await second.awaited == "1")
    }
}
