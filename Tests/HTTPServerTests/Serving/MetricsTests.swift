import RawClient
import Testing

@testable import HTTPServer

@Suite struct MetricsTests {
    @Test func anOpenStreamIsCountedUntilItEnds() async throws {
        let metrics = HTTPServer.Metrics()
        let script = Script(.text("a"))
        try await serve(metrics: metrics, handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            await script.paused.pass()
            #expect(metrics.openStreams == 1)
            script.give(.end)
            await script.over.pass()
            #expect(metrics.openStreams == 0)
        }
    }

    @Test func theProcessorTimeOfEachEventLoopIsMeasured() async throws {
        let metrics = HTTPServer.Metrics()
        try await serve(metrics: metrics) { address, _ in
            _ = try await RawClient(address).ask(get("/"))
            let before = try #require(metrics.loopSeconds.first)
            _ = try await RawClient(address).ask(get("/"))
            #expect(metrics.loopSeconds.count == 1 && before > 0 && metrics.loopSeconds[0] > before)
        }
    }
}
