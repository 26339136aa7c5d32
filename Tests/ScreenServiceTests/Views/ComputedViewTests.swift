import Dispatch
import Glibc
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

struct ComputedViewTests {
    @Test func concurrentRequestsForADocumentCreateTheDocumentOnlyOnce() async throws {
        let letters = try await LetterService()
        let computed = try await letters.service.computations.current(letters.view()).value
        let presented = PresentedVersion.noVersion(.initial)
        let count = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            computed.withDocumentLock(presented) {
                guard computed.answer(to: presented) == nil else { return }
                count.withLock { $0 += 1 }
                // Gives other threads time to request the same document.
                for _ in 0..<10_000 { sched_yield() }
                _ = computed.keep([], .snapshot, for: presented)
            }
        }
        #expect(count.withLock { $0 } == 1)
    }
}
