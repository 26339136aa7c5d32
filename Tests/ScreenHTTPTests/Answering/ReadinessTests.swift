import HTTPServer
import RawClient
import ScreenHTTP
import Synchronization
import Testing

@Suite(.serialized) struct ReadinessTests {
    @Test(arguments: Transport.allCases)
    func aServerThatRunsIsHealthyAndReady(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for (target, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
            let answer = try await site.get(target)
            #expect(answer.status == 200)
            #expect(answer.text == text)
            #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: Transport.allCases)
    func aServerThatDrainsIsNotReadyButAnswers(_ transport: Transport) async throws {
        let site = try await transport.serve()
        site.api.withdraw()
        let answer = try await site.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text == "draining\n")
        #expect(try await site.get("/healthz").status == 200)
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases)
    func aServerThatStopsAtOnceIsNotReadyEither(_ transport: Transport) async throws {
        let site = try await transport.serve()
        site.api.drain()
        #expect(try await site.get("/readyz").status == 503)
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases)
    func aServerIsReadyWhileItsDataIsWithinReach(_ transport: Transport) async throws {
        let isReachable = Mutex(false)
        let site = try await transport.serve(isDataReady: { isReachable.withLock { $0 } })
        let answer = try await site.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text == "the data is out of reach\n")
        #expect(try await site.get("/healthz").status == 200)
        isReachable.withLock { $0 = true }
        #expect(try await site.get("/readyz").status == 200)
    }
}
