import FaultyTransport
import MemoryTransport
import Synchronization
import Testing

@testable import ScreenClient

/// A temporary problem of a phone, such as a missing network.
enum Trouble: CaseIterable {
    /// The phone has no network for a day.
    case network
    /// The server is stopped. Later a new server with the same disk is started.
    case server
    /// The token expires. Later the session receives a new token.
    case token
    /// The process of the app ends. Later another process is started.
    case process

    /// Returns all permutations of the troubles.
    static func orders(of troubles: [Trouble] = allCases) -> [[Trouble]] {
        if troubles.isEmpty { return [[]] }
        return troubles.flatMap { first in orders(of: troubles.filter { $0 != first }).map { [first] + $0 } }
    }
}

/// Tests of a phone that temporarily loses its network, server, token or process. The phone keeps showing its stored content. After the
/// troubles have ended and a network change was reported, the phone is current within one round trip. Without the report, the phone first
/// waits until its pause ends.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct TroubleTests {
    /// A phone and its server, with functions that begin and end troubles.
    @MainActor
    private final class World {
        let disk = Disk()
        let session = Session()
        let memory = MemoryTransport()
        let phone: Phone
        private var server: WordsServer?
        private var words = ["apple", "bread", "cheese"]

        init() async throws {
            phone = Phone(memory, session: session)
            try await startServer()
            phone.follow()
            await whenTrue { [phone] in phone.screen.connection == .streaming }
        }

        private func startServer() async throws {
            server = try await WordsServer(disk)
            memory.connect(to: server?.api)
        }

        func begin(_ trouble: Trouble) async throws {
            switch trouble {
            case .network: phone.network.disconnect()
            case .server:
                memory.connect(to: nil)
                phone.network.cutStreams()
                await server?.stop()
                server = nil
            case .token:
                disk.token.withLock { $0 = "token 2" }
                // A server ends the streams that were opened with an expired token.
                phone.network.cutStreams()
            case .process: try await phone.close()
            }
        }

        /// Advances the clock by a day, and then adds a word to the data of the server.
        func passTime() {
            disk.time.withLock { $0 += 24 * 3600 }
            words.append("dates")
            if let server { server.words.add("dates") } else { disk.words.withLock { $0.append("dates") } }
        }

        func end(_ trouble: Trouble) async throws {
            switch trouble {
            case .network: phone.network.connect()
            case .server: try await startServer()
            case .token: session.renew(with: "token 2")
            case .process:
                phone.open()
                let count = memory.exchanges.count
                await phone.screen.restore()
                #expect(phone.screen.words == ["apple", "bread", "cheese"])
                #expect(phone.screen.isStored)
                #expect(memory.exchanges.count == count)
                phone.follow()
            }
        }

        /// Waits until the phone is current. If the client pauses before an attempt, the function reports a network change, so that the
        /// client connects at once.
        func whenCurrent() async {
            let (screen, words) = (phone.screen!, words)
            while !Task.isCancelled {
                await whenTrue {
                    #expect([["apple", "bread", "cheese"], words].contains(screen.words), "it shows what it had, or what the server has")
                    return screen.words == words && !screen.isStored || screen.problem != nil
                }
                if screen.problem == nil { return }
                phone.client.networkChanged()
            }
        }
    }

    /// Begins and ends the troubles, and returns the requests that the phone sent from the end of the last trouble until the phone was
    /// current.
    private func run(begin: [Trouble], end: [Trouble], forgets: Bool = false) async throws -> [MemoryTransport.Exchange] {
        let world = try await World()
        for trouble in begin { try await world.begin(trouble) }
        world.passTime()
        if forgets { world.disk.forgetHistory() }
        for trouble in end.dropLast() { try await world.end(trouble) }
        let count = world.memory.exchanges.count
        if let last = end.last { try await world.end(last) }
        await world.whenCurrent()
        let exchanges = Array(world.memory.exchanges.dropFirst(count))
        await whenTrue { world.phone.screen.connection == .streaming }
        try await world.phone.close()
        return exchanges
    }

    private func expectOneRoundTrip(_ exchanges: [MemoryTransport.Exchange]) {
        #expect(exchanges.filter { $0.status != 401 }.map(\.status) == [200], "\(exchanges)")
        #expect(exchanges.filter { $0.status == 401 }.count <= 1, "\(exchanges)")
        #expect(!exchanges.contains { !$0.isStream }, "\(exchanges)")
    }

    @Test func aPhoneThatHadNoNetworkForADayIsCurrentAfterOneRoundTrip() async throws {
        expectOneRoundTrip(try await run(begin: [.network], end: [.network]))
    }

    @Test(arguments: [false, true])
    func aPhoneIsCurrentOneRoundTripAfterItsServerRestarts(historyIsForgotten: Bool) async throws {
        expectOneRoundTrip(try await run(begin: [.server], end: [.server], forgets: historyIsForgotten))
    }

    @Test func aPhoneWhoseTokenExpiredWhileOfflineIsCurrentAfterOneRoundTrip() async throws {
        expectOneRoundTrip(try await run(begin: [.network, .token], end: [.token, .network]))
    }

    @Test func aPhoneIsCurrentOneRoundTripAfterItsProcessRestarts() async throws {
        expectOneRoundTrip(try await run(begin: [.process], end: [.process]))
    }

    @Test(arguments: [false, true])
    func aPhoneReceivesAChangesetAfterADayUnlessTheServerLostItsHistory(_ historyIsForgotten: Bool) async throws {
        let world = try await World()
        var updates = world.phone.screen.updates.makeAsyncIterator()
        _ = await updates.next()
        for trouble in [Trouble.network, .server] { try await world.begin(trouble) }
        world.passTime()
        if historyIsForgotten { world.disk.forgetHistory() }
        for trouble in [Trouble.server, .network] { try await world.end(trouble) }
        await world.whenCurrent()
        switch await updates.next()?.kind {
        case .snapshot: #expect(historyIsForgotten)
        case .stages(let steps): #expect(!historyIsForgotten && steps.map(\.stage.insertCells.count) == [1])
        case nil: #expect(Bool(false), "there was no update")
        }
        try await world.phone.close()
    }

    @Test(arguments: Trouble.orders(), [false, true])
    func aPhoneIsCurrentOneRoundTripAfterAllTroublesEnd(order: [Trouble], historyIsForgotten: Bool) async throws {
        expectOneRoundTrip(try await run(begin: order, end: order, forgets: historyIsForgotten))
        expectOneRoundTrip(try await run(begin: order, end: order.reversed(), forgets: historyIsForgotten))
    }
}
