import ScreenModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct LoopPropertyTests {
    private let loop = FeedbackLoop<Int, Int>(initial: 0, reduce: { $0 = $1 })

    @Test func theSequenceOfStatesBeginsWithTheCurrentState() async {
        loop.send(5)
        #expect(await loop.states.first { _ in true } == 5)
        var states = loop.states.makeAsyncIterator()
        #expect(await states.next() == 5)
        loop.send(6)
        #expect(await states.next() == 6)
    }

    @Test func aSlowConsumerReceivesOnlyTheNewestState() async {
        var states = loop.states.makeAsyncIterator()
        #expect(await states.next() == 0)
        for state in 1...1000 { loop.send(state) }
        #expect(await states.next() == 1000)
        loop.send(1001)
        #expect(await states.next() == 1001)
    }

    @Test func everyStateIsReportedEvenIfItEqualsThePreviousState() async {
        var states = loop.states.makeAsyncIterator()
        #expect(await states.next() == 0)
        for _ in 1...3 {
            loop.send(0)
            #expect(await states.next() == 0)
        }
    }

    @Test func aDerivedValueIsComputedFromTheCurrentState() {
        let (tens, text) = (loop.map { $0 / 10 }, loop.map { $0 / 10 }.map(String.init))
        loop.send(42)
        #expect(tens.value == 4)
        #expect(text.value == "4")
    }

    @Test func consecutiveEqualDerivedValuesAreReportedOnce() async {
        let reads = FeedbackLoop<[Int], Int>(initial: [], reduce: { $0.append($1) })
        let tens = loop.map { state in
            reads.send(state)
            return state / 10
        }
        let consumer = Task {
            var seen: [Int] = []
            for await value in tens {
                seen.append(value)
                if value == 3 { break }
            }
            return seen
        }
        for state in [1, 2, 30] {
            _ = await reads.states.first { !$0.isEmpty }
            loop.send(state)
            _ = await reads.states.first { $0.contains(state) }
        }
        #expect(await consumer.value == [0, 3])
    }

    @Test func iteratingOverTheStatesEndsWhenTheTaskIsCancelled() async {
        let (began, continuation) = AsyncStream.makeStream(of: Void.self)
        let consumer = Task { [states = loop.states] in
            for await _ in states { continuation.yield() }
        }
        _ = await began.first { _ in true }
        consumer.cancel()
        await consumer.value
    }

    @Test @MainActor func anActorReceivesNothingAfterItHasReleasedTheLoop() async {
        var loop: FeedbackLoop<Int, Int>? = FeedbackLoop(initial: 0, reduce: { $0 = $1 })
        var seen: [Int] = []
        let (began, continuation) = AsyncStream.makeStream(of: Void.self)
        let consumer = Task { [states = loop?.states] in
            guard let states else { return }
            for await state in states {
                seen.append(state)
                continuation.yield()
            }
        }
        for await _ in began { break }
        loop?.send(1)
        loop = nil
        await consumer.value
        #expect(seen == [0])
    }
}
