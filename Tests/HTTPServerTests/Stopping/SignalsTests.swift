import Glibc
import Testing

@testable import HTTPServer

@Suite(.serialized, .timeLimit(.minutes(1))) struct SignalsTests {
    @Test func waitingForASignalReturnsTheFirstSignalReceived() async {
        let signals = Signals(catching: [SIGUSR1, SIGUSR2])
        async let first = signals.first()
        kill(getpid(), SIGUSR2)
        #expect(await first == SIGUSR2)
        #expect(await signals.first() == SIGUSR2)
        signal(SIGUSR1, SIG_DFL)
    }

    @Test func aSecondSignalEndsTheProcessImmediately() async {
        await #expect(processExitsWith: .exitCode(128 + SIGUSR1)) {
            let signals = Signals(catching: [SIGUSR1, SIGUSR2])
            kill(getpid(), SIGUSR2)
            _ = await signals.first()
            kill(getpid(), SIGUSR1)
            await Latch().wait()
        }
    }
}
