import HTTPServer
import RawClient
import ScreenHTTP
import ScreenService
import Synchronization
import Testing

@Suite(.serialized) struct ReadinessTests {
    @Test(arguments: Transport.allCases)
    func aRunningServerIsHealthyAndReady(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for (target, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
            let answer = try await site.get(target)
            #expect(answer.status == 200)
            #expect(answer.text == text)
            #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: Transport.allCases, [true, false])
    func aStoppingServerIsNotReadyButResponds(_ transport: Transport, _ drains: Bool) async throws {
        let site = try await transport.serve()
        if drains { site.api.drain() } else { site.api.withdraw() }
        let answer = try await site.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text == "draining\n")
        #expect(try await site.get("/healthz").status == 200)
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases)
    func aServerIsReadyOnlyIfItsDataIsAvailable(_ transport: Transport) async throws {
        let isReachable = Mutex(false)
        let site = try await transport.serve(isDataReady: { isReachable.withLock { $0 } })
        let answer = try await site.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text == "the data is out of reach\n")
        #expect(try await site.get("/healthz").status == 200)
        isReachable.withLock { $0 = true }
        #expect(try await site.get("/readyz").status == 200)
    }

    /// Readiness probes are sent every second. If each probe started its own check, more and more checks would hang.
    @Test func theServerIsNotReadyAndStartsNoOtherCheckWhileADataCheckHangs() async throws {
        let (checks, check) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        let (deadlines, begin) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        let deadline = Deadline { pass in
            begin.yield(pass)
            return {}
        }
        let (api, _) = try await Site.parts(publicFolder: nil, deadline: deadline) {
            await withCheckedContinuation { _ = check.yield($0) }
            return true
        }
        let probe = Request(method: "GET", target: "/readyz")
        let first = Task { try await api.reply(to: probe).answer.status }
        var hanging = checks.makeAsyncIterator()
        let end = await hanging.next()
        for await pass in deadlines {
            pass()
            break
        }
        #expect(try await first.value == 503)
        #expect(try await api.reply(to: probe).answer.status == 503)
        end?.resume()
        check.finish()
        #expect(await hanging.next() == nil)
    }

    @Test func aReadinessProbeIsCancelledWhenItsClientDisconnects() async throws {
        let site = try await Transport.memory.serve()
        guard case .waiting = site.api.reply(to: Request(method: "GET", target: "/readyz")).content else {
            Issue.record("the probe is not cancelled with its connection")
            return
        }
    }
}
