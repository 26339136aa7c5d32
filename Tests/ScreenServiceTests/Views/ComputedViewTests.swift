import Dispatch
import Glibc
@testable import ScreenService
import ScreenWire
import Synchronization
import Testing

struct ComputedViewTests {
    @Test func anAnswerIsMadeOnceHoweverManyAskForItAtOnce() async throws {
        let letters = try await LetterService()
        let computed = try await letters.service.computations.current(letters.view()).value
        let presented = PresentedVersion.noVersion(.initial)
        let count = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            computed.whileMaking(presented) {
                guard computed.answer(to: presented) == nil else { return }
                count.withLock { $0 += 1 }
                // Lets the others come.
                for _ in 0..<10_000 { sched_yield() }
                _ = computed.keep([], .snapshot, for: presented)
            }
        }
        #expect(count.withLock { $0 } == 1)
    }
}
