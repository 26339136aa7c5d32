@testable import ScreenService
import Synchronization
import Testing

@Suite("Look-ups in batches", .timeLimit(.minutes(1))) struct BatchedLookupsTests {
    private struct Lost: Error {}

    private let turns = Turns()
    private let lookups = BatchedLookups<Int, String>(batchLimit: 3, waitingLimit: 5)
    private let batches = Recorded()

    private final class Recorded: Sendable {
        let keys = Mutex<[[Int]]>([])
    }

    /// - Parameter gate: Holds each batch.
    private func ask(_ key: Int, _ gate: Gate? = nil) -> Task<String?, any Error> {
        turns.start { [lookups, batches] in
            try await lookups.value(of: key) { keys in
                batches.keys.withLock { $0.append(keys.sorted()) }
                await gate?.pass()
                if keys.contains(0) { throw Lost() }
                return Dictionary(uniqueKeysWithValues: keys.filter { $0 < 100 }.map { ($0, "\($0)") })
            }
        }
    }

    @Test func aKeyThatIsRequestedWhileABatchRunsIsInTheNextOne() async throws {
        let gate = Gate()
        let first = ask(1, gate)
        await gate.isReached()
        // The same key: the batch that runs may have looked before.
        let later = [ask(1), ask(2), ask(1), ask(100)]
        while lookups.waitingCount < 4 { await Task.yield() }
        gate.open()
        #expect(try await first.awaited == "1")
        for (task, value) in zip(later, ["1", "2", "1", nil]) { #expect(try await task.awaited == value) }
        #expect(batches.keys.withLock(\.self) == [[1], [1, 2], [100]])
    }

    @Test func beyondTheBoundNobodyWaits() async throws {
        let gate = Gate()
        let first = ask(1, gate)
        await gate.isReached()
        let waiting = (0..<5).map { _ in ask(2) }
        while lookups.waitingCount < 5 { await Task.yield() }
        await #expect(throws: BatchedLookups<Int, String>.Overload.self) { try await ask(3).awaited }
        gate.open()
        for task in [first] + waiting { _ = try await task.awaited }
    }

    @Test func aBatchThatFailsFailsForItsOwnRequestsAlone() async throws {
        let gate = Gate()
        let first = ask(0, gate)
        await gate.isReached()
        let second = ask(1)
        while lookups.waitingCount < 1 { await Task.yield() }
        gate.open()
        await #expect(throws: Lost.self) { try await first.awaited }
        #expect(try await second.awaited == "1")
    }
}
