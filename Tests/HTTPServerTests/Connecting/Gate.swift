import Dispatch
import RawClient

@testable import HTTPServer

/// A gate that suspends tasks until it is opened. A test can wait until the first task has reached the gate.
final class Gate: Sendable {
    private let arrived = Latch()
    private let opened = Latch()

    /// Suspends the task until the gate is opened.
    func pass() async {
        arrived.open()
        await opened.wait()
    }

    /// Suspends the task until it is cancelled or the gate is opened.
    func passWhenCancelled() async {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            open()
        }
    }

    /// Waits until the first task has reached the gate.
    func arrival() async { await arrived.wait() }

    func open() { opened.open() }

    /// Returns a reply whose response is ready when the gate is opened.
    func later(_ response: Response) -> Reply {
        .later {
            await self.pass()
            return .response(response)
        }
    }
}

/// A handler that blocks the only event loop of a server until a test calls ``end()``. All bytes that clients send while the loop is
/// blocked arrive before the loop continues.
struct Block {
    private let arrival = DispatchSemaphore(value: 0)
    private let release = DispatchSemaphore(value: 0)

    /// Echoes the request. A request for `/block` is answered only after ``end()`` is called.
    func answer(_ request: Request) -> Reply {
        if request.target == "/block" {
            arrival.signal()
            release.wait()
        }
        return echo(request)
    }

    /// Waits until the loop is blocked. A separate thread waits, so that the threads of the tests stay free.
    func hasBegun() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "waiting").async {
                arrival.wait()
                continuation.resume()
            }
        }
    }

    func end() { release.signal() }

    /// Runs `body` while the loop is blocked.
    func during(_ address: BoundAddress, _ body: () async throws -> Void) async throws {
        let client = try await RawClient(address, sending: get("/block", "Connection: close"))
        await hasBegun()
        do {
            defer { end() }
            try await body()
        }
        _ = try await client.untilClosed()
    }
}
