@testable import ScreenService
import SeededRandom
import Synchronization
import Testing

@Suite("Those that wait for a goal") struct WaitersTests {
    /// Counts how often one is compared with another.
    private struct Goal: Comparable {
        final class Count: Sendable {
            let value = Atomic(0)
        }

        let number: Int
        let count: Count

        static func < (a: Goal, b: Goal) -> Bool {
            a.count.value.add(1, ordering: .relaxed)
            return a.number < b.number
        }

        static func == (a: Goal, b: Goal) -> Bool {
            a.count.value.add(1, ordering: .relaxed)
            return a.number == b.number
        }
    }

    @Test func reachedWaitersAreFoundWithoutALookAtTheOthers() {
        let count = Goal.Count()
        var waiters = Waiters<Goal, Int>()
        for number in (1...2000).shuffled() { _ = waiters.insert(number, until: Goal(number: number, count: count)) }
        count.value.store(0, ordering: .relaxed)
        #expect(waiters.removeAll(upTo: Goal(number: 0, count: count)) == [])
        #expect(count.value.load(ordering: .relaxed) == 1)
        #expect(waiters.removeAll(upTo: Goal(number: 3, count: count)) == [1, 2, 3])
        #expect(count.value.load(ordering: .relaxed) == 5)
    }

    @Test func equalGoalsAreReachedTogether() {
        var waiters = Waiters<Int, String>()
        for (value, goal) in [("a", 5), ("b", 7), ("c", 5)] { _ = waiters.insert(value, until: goal) }
        #expect(waiters.removeAll(upTo: 6) == ["a", "c"])
        #expect(waiters.removeAll(upTo: 7) == ["b"])
        #expect(waiters.isEmpty)
    }

    @Test func aTicketRemovesItsValueOnce() {
        var waiters = Waiters<Int, String>()
        let tickets = [("a", 5), ("b", 5), ("c", 6), ("d", 4)].map { waiters.insert($0.0, until: $0.1) }
        #expect(tickets[1...].map { waiters.remove($0) } == ["b", "c", "d"])
        #expect(waiters.remove(tickets[1]) == nil)
        #expect(waiters.removeAll(upTo: 5) == ["a"])
        #expect(waiters.remove(tickets[0]) == nil)
    }

    @Test func whateverComesAndGoesWhatRemainsIsInOrder() {
        let seed = Seeds.given ?? UInt64.random(in: 0 ... .max)
        print("the seed is \(seed)")
        var random = SeededGenerator(seed: seed)
        var (waiters, model) = (Waiters<Int, Int>(), [Int: (goal: Int, ticket: Waiters<Int, Int>.Ticket)]())
        for value in 0..<2000 {
            let goal = Int.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let chosen = model.keys.sorted().randomElement(using: &random)
                #expect(chosen.flatMap { waiters.remove(model[$0]!.ticket) } == chosen)
                if let chosen { model[chosen] = nil }
            case 1:
                let reached = model.filter { $0.value.goal <= goal }.sorted { ($0.value.goal, $0.key) < ($1.value.goal, $1.key) }.map(\.key)
                #expect(waiters.removeAll(upTo: goal) == reached)
                for value in reached { model[value] = nil }
            default: model[value] = (goal, waiters.insert(value, until: goal))
            }
        }
        #expect(Set(waiters.removeAll()) == Set(model.keys))
    }
}
