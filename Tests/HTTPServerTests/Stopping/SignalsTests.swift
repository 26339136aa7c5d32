import Glibc
import HTTPServer
import Testing

@Suite(.serialized) struct SignalsTests {
    @Test func theFirstSignalIsReturned() async {
        let signals = Signals(catching: [SIGUSR1, SIGUSR2])
        async let first = signals.first()
        kill(getpid(), SIGUSR2)
        #expect(await first == SIGUSR2)
        #expect(await signals.first() == SIGUSR2)
        signal(SIGUSR1, SIG_DFL)
    }
}
