import Foundation
import Glibc
import Logging
import RawClient
import Synchronization
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct ServiceManagerTests {
    @Test(arguments: ["", "@"]) func aNotificationIsOneDatagramToTheSocketOfTheServiceManager(_ prefix: String) throws {
        let socket = try NotifySocket(prefix: prefix)
        let manager = try ServiceManager { ["NOTIFY_SOCKET": socket.name][$0] }
        #expect(manager.notify("READY=1", "STATUS=Serving"))
        #expect(socket.receive() == "READY=1\nSTATUS=Serving")
    }

    @Test func aNotificationThatCannotBeSentIsReported() throws {
        for name in ["/nonexistent/socket", "/" + String(repeating: "a", count: 108)] {
            let manager = try ServiceManager { ["NOTIFY_SOCKET": name][$0] }
            #expect(!manager.notify("READY=1"))
        }
        #expect(ServiceManager.absent.notify("READY=1"))
    }

    @Test func aServiceManagerThatDoesNotReadItsSocketDoesNotBlockTheServer() throws {
        let socket = try NotifySocket(prefix: "@")
        let manager = try ServiceManager { ["NOTIFY_SOCKET": socket.name][$0] }
        // The system keeps a limited number of datagrams.
        while manager.notify("WATCHDOG=1") {}
    }

    @Test func theWatchdogWatchesOnlyTheProcessThatItNames() throws {
        for (id, interval) in [("\(getpid())", Duration.seconds(2)), ("1", nil), (nil, .seconds(2))] {
            let variables = ["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": id]
            #expect(try ServiceManager { variables[$0] ?? nil }.watchdogInterval == interval)
        }
    }

    @Test func socketsForAnotherProcessAreIgnored() throws {
        for id in ["1", nil] {
            let variables = ["LISTEN_PID": id, "LISTEN_FDS": "1"]
            #expect(try ServiceManager { variables[$0] ?? nil }.socket == nil)
        }
    }

    @Test func severalSocketsAreRejected() {
        let variables = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"]
        #expect(throws: HTTPServer.StartError.severalSockets(count: 2)) { try ServiceManager { variables[$0] } }
    }

    @Test func aDescriptorThatIsNoListeningTCPSocketIsRejected() throws {
        let unbound = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { for descriptor in [unbound, local] { close(descriptor) } }
        for descriptor in [unbound, local, -1] {
            #expect(throws: HTTPServer.StartError.notListening) { try PassedSocket(descriptor: descriptor) }
        }
    }

    @Test func childrenDoNotInheritTheVariablesOfTheServiceManager() throws {
        let names = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
        for name in names { setenv(name, "1", 1) }
        _ = try ServiceManager.take()
        #expect(names.filter { getenv($0) != nil } == [])
    }

    @Test func aPassedSocketAcceptsConnectionsWhileNoServerRuns() async throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        for target in ["/first", "/second"] {
            // The request is sent before the server starts, and waits in the socket.
            let client = try await RawClient(socket.address)
            try await client.send(get(target))
            let server = HTTPServer(logger: Logger(label: "test"), handler: echo)
            let address = try server.start(on: PassedSocket(descriptor: dup(socket.descriptor)))
            #expect(address == socket.address)
            #expect(try await client.response().text == "GET \(target) ")
            await server.stop(grace: .seconds(1000))
        }
    }

    @Test func aRoundTripDoesNotReturnWhileAnEventLoopIsBlocked() async throws {
        let (block, phases) = (Block(), Phases())
        let handler: HTTPServer.Handler = { request in
            defer { phases.add("the handler returns") }
            return block.answer(request)
        }
        try await serve(handler: handler) { address, server in
            let client = try await RawClient(address, sending: get("/block"))
            await block.hasBegun()
            let trip = Task {
                await server.roundTrip()
                phases.add("the round trip returns")
            }
            // A round trip that did not wait for the loop would end during these turns.
            for _ in 0..<1000 { await Task.yield() }
            block.end()
            #expect(try await client.response().status == 200)
            await trip.value
        }
        #expect(phases.all == ["the handler returns", "the round trip returns"])
    }

    @Test func aRoundTripReturnsAfterTheEventLoopsHaveEnded() async throws {
        try await serve { _, server in
            await server.stop(grace: .zero)
            await server.roundTrip()
        }
    }
}

/// The events of a test, in their order.
private final class Phases: Sendable {
    private let phases = Mutex<[String]>([])

    var all: [String] { phases.withLock { $0 } }

    func add(_ phase: String) { phases.withLock { $0.append(phase) } }
}

/// A Unix socket that receives notifications.
private final class NotifySocket: Sendable {
    let name: String
    private let descriptor: Int32

    /// - Parameter prefix: `@` for a socket in the abstract namespace.
    init(prefix: String) throws {
        name = "\(prefix)\(FileManager.default.temporaryDirectory.path)/relist-\(UUID())"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let isBound = ServiceManager.withAddress(name) { bind(descriptor, $0, $1) } == 0
        guard isBound else { throw HTTPServer.StartError.outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
        unlink(name)
    }

    func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
