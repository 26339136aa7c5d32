import ScreenModel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct FeedbackLoopTests {
    typealias Loop = FeedbackLoop<[Int], Int>

    // MARK: events

    @Test func aCallOfSendReturnsAfterTheLoopHasChangedItsState() {
        let loop = Loop(initial: [], reduce: append)
        loop.send(1)
        #expect(loop.state == [1])
        loop.send(2)
        #expect(loop.state == [1, 2])
    }

    @Test func anEventThatIsSentWhileReduceRunsIsHandledAfterwards() {
        let box = Mutex<Loop?>(nil)
        let steps = Mutex<[Int]>([])
        let loop = Loop(
            initial: [],
            reduce: { state, event in
                steps.withLock { $0.append(event) }
                let loop = box.withLock { $0 }
                if event == 1 { for next in [2, 3] { loop?.send(next) } }
                state.append(event)
                steps.withLock { $0.append(-event) }
            }
        )
        box.withLock { $0 = loop }
        loop.send(1)
        #expect(loop.state == [1, 2, 3])
        #expect(steps.withLock { $0 } == [1, -1, 2, -2, 3, -3])
        box.withLock { $0 = nil }
    }

    @Test func anEventFromAFeedbackIsHandledAfterAllFeedbacksHaveSeenTheState() {
        let box = Mutex<Loop?>(nil)
        let seen = Mutex<[[Int]]>([])
        let first = Loop.Feedback(
            predicate: { state in
                if state == [1] { box.withLock { $0 }?.send(2) }
                return false
            }, effect: { _, _ in })
        let second = Loop.Feedback(
            predicate: { state in
                seen.withLock { $0.append(state) }
                return false
            }, effect: { _, _ in })
        let loop = Loop(initial: [], reduce: append, feedbacks: [first, second])
        box.withLock { $0 = loop }
        loop.send(1)
        #expect(seen.withLock { $0 } == [[], [1], [1, 2]])
        box.withLock { $0 = nil }
    }

    @Test func theEventsOfEachTaskAreHandledInTheOrderOfSending() async {
        let loop = Loop(initial: [], reduce: append)
        await withTaskGroup { group in
            for sender in 0..<100 {
                group.addTask {
                    for number in 0..<1000 { loop.send(sender * 1000 + number) }
                }
            }
        }
        #expect(loop.state.count == 100_000)
        let ofSenders = Dictionary(grouping: loop.state) { $0 / 1000 }
        #expect(ofSenders.values.allSatisfy { $0 == $0.sorted() && Set($0).count == 1000 })
    }

    // MARK: effects

    @Test func anEffectSendsItsEventsToTheLoop() async {
        let loop = Loop(
            initial: [], reduce: append,
            feedbacks: [
                Loop.Feedback(skippingRepeated: { $0.first }) { first, send in
                    for event in 1...3 { send(first * 10 + event) }
                }
            ]
        )
        loop.send(1)
        #expect(await loop.states.first { $0.count == 4 } == [1, 11, 12, 13])
    }

    @Test func aNewLoopStartsTheEffectsOfItsInitialState() async {
        let loop = Loop(initial: [7], reduce: append, feedbacks: [Loop.Feedback(predicate: { $0 == [7] }) { _, send in send(8) }])
        #expect(await loop.states.first { $0.count == 2 } == [7, 8])
    }

    @Test func anEffectRunsForEachStateThatSatisfiesThePredicate() async {
        let effects = ManualEffects<[Int]>()
        let feedback = Loop.Feedback(predicate: { $0.count.isMultiple(of: 2) }, effect: effects.run)
        let loop = Loop(initial: [], reduce: append, feedbacks: [feedback])
        await effects.wait(for: .started([]))
        loop.send(1)
        await effects.wait(for: .cancelled([]))
        loop.send(2)
        await effects.wait(for: .started([1, 2]))
        #expect(effects.all == [.started([]), .cancelled([]), .started([1, 2])])
    }

    @Test func aNewStateCancelsTheEffectOfThePreviousState() async {
        let effects = ManualEffects<[Int]>()
        let loop = Loop(initial: [], reduce: append, feedbacks: [Loop.Feedback(predicate: { _ in true }, effect: effects.run)])
        await effects.wait(for: .started([]))
        loop.send(1)
        await effects.wait(for: .cancelled([]))
        await effects.wait(for: .started([1]))
        #expect(!effects.all.contains(.cancelled([1])))
    }

    @Test func eventsOfACancelledEffectAreDiscarded() async {
        let sends = Mutex<[Loop.Send]>([])
        let (started, continuation) = AsyncStream.makeStream(of: Int.self)
        let loop = Loop(
            initial: [], reduce: append,
            feedbacks: [
                Loop.Feedback(skippingRepeated: { $0.last.map { $0 / 10 } }) { tens, send in
                    sends.withLock { $0.append(send) }
                    continuation.yield(tens)
                }
            ]
        )
        loop.send(10)
        _ = await started.first { $0 == 1 }
        loop.send(20)
        _ = await started.first { $0 == 2 }
        let (outdated, current) = sends.withLock { ($0[0], $0[1]) }
        outdated(11)
        #expect(loop.state == [10, 20])
        current(21)
        #expect(loop.state == [10, 20, 21])
    }

    @Test func anEffectContinuesWhileItsValueInTheStateDoesNotChange() async {
        let effects = ManualEffects<Int>()
        let feedback = Loop.Feedback(skippingRepeated: { $0.last.map { $0 / 10 } }, effect: effects.run)
        let loop = Loop(initial: [], reduce: append, feedbacks: [feedback])
        for event in [10, 11, 12, 20, 21] { loop.send(event) }
        await effects.wait(for: .started(2))
        await effects.wait(for: .cancelled(1))
        loop.send(30)
        await effects.wait(for: .started(3))
        await effects.wait(for: .cancelled(2))
        #expect(effects.all.count { $0 == .started(1) } == 1)
        #expect(effects.all.count == 5)
    }

    @Test func anEffectIsCancelledWhenTheStateNoLongerHasAValueForTheEffect() async {
        let effects = ManualEffects<Int>()
        let feedback = Loop.Feedback(skippingRepeated: \.first, effect: effects.run)
        let loop = Loop(initial: [1], reduce: { $0 = $1 == 0 ? [] : [$1] }, feedbacks: [feedback])
        await effects.wait(for: .started(1))
        loop.send(0)
        await effects.wait(for: .cancelled(1))
        loop.send(1)
        await effects.wait(for: .started(1), count: 2)
        #expect(effects.all == [.started(1), .cancelled(1), .started(1)])
    }

    // MARK: releasing the loop

    @Test func releasingTheLoopCancelsItsEffects() async {
        let effects = ManualEffects<[Int]>()
        var loop: Loop? = Loop(
            initial: [], reduce: append,
            feedbacks: [
                Loop.Feedback(predicate: { _ in true }, effect: effects.run), Loop.Feedback(skippingRepeated: { $0 }, effect: effects.run),
            ]
        )
        await effects.wait(for: .started([]), count: 2)
        #expect(loop?.state == [])
        loop = nil
        await effects.wait(for: .cancelled([]), count: 2)
    }

    @Test func theSequenceOfStatesEndsWhenTheLoopIsReleased() async {
        var loop: Loop? = Loop(initial: [1], reduce: append)
        let last = loop?.map(\.last)
        var states = loop?.states.makeAsyncIterator()
        #expect(await states?.next() == [1])
        loop?.send(2)
        loop = nil
        #expect(await states?.next() == nil)
        #expect(await states?.next() == nil)
        #expect(last?.value == 2)
        var lasts = last?.makeAsyncIterator()
        #expect(await lasts?.next() == nil)
        #expect(await lasts?.next() == nil)
    }

    @Test func eventsOfAnEffectAreDiscardedAfterTheLoopIsReleased() async {
        let (started, continuation) = AsyncStream.makeStream(of: Loop.Send.self)
        let feedback = Loop.Feedback(predicate: { _ in true }, effect: { continuation.yield($1) })
        var loop: Loop? = Loop(initial: [1], reduce: append, feedbacks: [feedback])
        let count = loop?.map(\.count)
        let send = await started.first { _ in true }
        #expect(count?.value == 1)
        loop = nil
        send?(2)
        #expect(count?.value == 1)
    }

    private let append: @Sendable (inout [Int], Int) -> Void = { $0.append($1) }
}

/// An object that provides effects. Each effect runs until it is cancelled, and records when it starts and when it is cancelled.
private final class ManualEffects<Value: Equatable & Sendable>: Sendable {
    enum Step: Equatable {
        case started(Value)
        case cancelled(Value)
    }

    private let loop = FeedbackLoop<[Step], Step>(initial: [], reduce: { $0.append($1) })
    var all: [Step] { loop.state }

    @Sendable func run<Event>(_ value: Value, _ send: @escaping @Sendable (Event) -> Void) async {
        loop.send(.started(value))
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        loop.send(.cancelled(value))
    }

    func wait(for step: Step, count: Int = 1) async {
        _ = await loop.states.first { $0.count { $0 == step } >= count }
    }
}
