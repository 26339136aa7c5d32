import RawClient
import Testing

@testable import HTTPServer

@Suite struct StreamEndTests {
    @Test func aStreamInResponseToAHEADRequestEndsBeforeItsFirstPartIsRequested() async throws {
        let script = Script(.text("unseen"), .end)
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            let head = try await client.ask("HEAD /stream HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(head.headers["Content-Type"] == "text/event-stream")
            await script.over.pass()
            #expect(try await client.untilClosed() == "")
        }
        #expect(script.questions == 0)
        #expect(script.endings == 1)
    }

    @Test func aStreamThatCannotBeSentIsEndedAndTheClientReceives500() async throws {
        let script = Script(.text("unseen"), .end)
        var response = script.response()
        response.status = 1000
        let unsendable = response
        try await serve(handler: { _ in .stream(unsendable) }) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/")).status == 500)
        }
        #expect(script.questions == 0)
        #expect(script.endings == 1)
    }

    @Test func aStreamEndsIfAHeartbeatIsSentToADisconnectedClient() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script], heartbeat: .milliseconds(50))) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            #expect(try await client.chunk() == ":\n\n")
            try await client.leave()
            await script.over.pass()
        }
        #expect(script.endings == 1)
    }

    @Test func aStreamEndsIfAPartIsSentToADisconnectedClient() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            await script.paused.pass()
            try await client.leave()
            script.give(.bytes([UInt8](repeating: 0, count: 1 << 20)))
            await script.over.pass()
        }
        #expect(script.endings == 1)
    }

    @Test func aStreamSendsHeartbeatsWhileItHasNoParts() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script], heartbeat: .milliseconds(50))) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            for _ in 0..<3 { #expect(try await client.chunk() == ":\n\n") }
            script.give(.end)
            #expect(try await client.chunks().count % 3 == 0)
        }
        #expect(script.endings == 1)
    }

    @Test func aStreamEndsAndIsAskedForNoMorePartsIfItsClientDoesNotRead() async throws {
        let script = Script(.bytes([UInt8](repeating: 0, count: 1 << 26)))
        let configure: (inout HTTPServer.Configuration) -> Void = { $0.idleTimeout = .seconds(1) }
        try await serve(configure, handler: play(["/stream": script], heartbeat: .milliseconds(50))) { address, _ in
            let client = try await RawClient(address, sending: get("/stream"))
            // The client stays connected and reads nothing.
            defer { withExtendedLifetime(client) {} }
            let waking = Task {
                while !Task.isCancelled {
                    script.give(.text("a small step"))
                    await Task.yield()
                }
            }
            await script.over.pass()
            waking.cancel()
            #expect(script.questions == 1)
        }
        #expect(script.endings == 1)
    }

    @Test func aPausedStreamIsNotClosedByTheIdleTimeout() async throws {
        let script = Script()
        let configure: (inout HTTPServer.Configuration) -> Void = { $0.idleTimeout = .seconds(1) }
        try await serve(configure, handler: play(["/stream": script])) { address, _ in
            let streaming = try await RawClient(address, sending: get("/stream"))
            _ = try await streaming.response()
            await script.paused.pass()
            // This connection becomes idle after the stream has paused. So when the server closes this connection at the idle timeout, the
            // pause has lasted longer than the timeout.
            let idle = try await RawClient(address, sending: get("/"))
            _ = try await idle.untilClosed()
            script.give(.text("there"), .end)
            #expect(try await streaming.chunks() == Array("there".utf8))
        }
    }
}
