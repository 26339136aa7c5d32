import FaultyTransport
import MemoryTransport
import Synchronization
import Testing

@testable import ScreenClient

/// Tests of a client that uses the real service in the same process.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ServiceTests {
    private let disk = Disk()

    private func phone() async throws -> (Phone, WordsServer) {
        let server = try await WordsServer(disk)
        return (Phone(MemoryTransport(server.api)), server)
    }

    /// Returns a phone and its server. The screen of the phone receives changes on an open stream.
    private func followed() async throws -> (Phone, WordsServer) {
        let (phone, server) = try await phone()
        phone.follow()
        await whenTrue { phone.screen.connection == .streaming }
        #expect(phone.screen.words == ["apple", "bread", "cheese"])
        return (phone, server)
    }

    @Test func aFollowedScreenReceivesEachChange() async throws {
        let (phone, server) = try await followed()
        server.words.add("dates")
        await phone.whenCurrent("apple", "bread", "cheese", "dates")
        server.words.add("eggs")
        await phone.whenCurrent("apple", "bread", "cheese", "dates", "eggs")
        let targets = phone.server.exchanges.map { $0.line.prefix { $0 != "=" } }
        #expect(targets == ["GET /screens/words", "GET /screens/words/changes?version"])
        try await phone.close()
    }

    @Test func aFollowedScreenShowsTheChangesOfAnotherClientsAction() async throws {
        let (phone, _) = try await followed()
        let other = Phone(phone.server)
        try await other.screen.refresh()
        try await other.screen.action("add")(["word": "dates"])
        #expect(other.screen.words == ["apple", "bread", "cheese", "dates"])
        await phone.whenCurrent("apple", "bread", "cheese", "dates")
        try await phone.close()
        try await other.close()
    }

    @Test func aSearchShowsTheWordsThatMatchTheLastText() async throws {
        let (phone, _) = try await followed()
        try await phone.screen.show(["q": "e"])
        #expect(phone.screen.words == ["apple", "bread", "cheese"])
        async let earlier: Void = phone.screen.show(["q": "ch"])
        async let later: Void = phone.screen.show(["q": "br"])
        _ = try await (earlier, later)
        #expect(phone.screen.parameters["q"].map { phone.screen.words == [$0 == "br" ? "bread" : "cheese"] } == true)
        try await phone.screen.show(["q": nil])
        await phone.whenCurrent("apple", "bread", "cheese")
        await whenTrue { phone.screen.connection == .streaming }
        try await phone.close()
    }

    @Test func anActionWithInvalidInputThrowsTheErrorOfTheService() async throws {
        let (phone, _) = try await followed()
        let error = await #expect(throws: ActionError.self) { try await phone.screen.action("add")(["word": "spam"]) }
        guard case .invalid(let problem)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.errors.map(\.detail) == ["No spam."])
        #expect(await phone.screen.undecided().isEmpty)
        try await phone.close()
    }

    @Test(arguments: 1...3)
    func anActionIsPerformedOnceIfItsResponsesAreLost(lost: Int) async throws {
        let (phone, _) = try await followed()
        phone.network.loseActionResponses(lost)
        let added = Task { try await phone.screen.action("add")(["word": "dates"]) }
        // Each report of a network change ends the pause before the next attempt, so that the test does not wait.
        for sent in 1...lost {
            await phone.server.whenActed(sent)
            while !phone.screen.isActionPaused, !Task.isCancelled { await Task.yield() }
            phone.client.networkChanged()
        }
        try await added.ended()
        #expect(disk.words.withLock { $0 } == ["apple", "bread", "cheese", "dates"])
        #expect(phone.server.actions == lost + 1)
        await phone.whenCurrent("apple", "bread", "cheese", "dates")
        #expect(await phone.screen.undecided().isEmpty)
        try await phone.close()
    }

    @Test func anActionOfAnEarlierProcessCanBeRetriedAndIsPerformedOnce() async throws {
        let (phone, _) = try await followed()
        phone.network.loseActionResponses(1)
        let added = Task { [screen = phone.screen!] in try await screen.action("add")(["word": "dates"]) }
        await phone.server.whenActed(1)
        await phone.whenCurrent("apple", "bread", "cheese", "dates")
        added.cancel()
        await #expect(throws: ActionError.self) { try await added.ended() }
        try await phone.close()
        phone.open()
        phone.follow()
        let attempts = await phone.screen.undecided()
        #expect(attempts.map(\.input) == [["word": "dates"]])
        try await phone.screen.retry(try #require(attempts.first))
        #expect(disk.words.withLock { $0 } == ["apple", "bread", "cheese", "dates"])
        #expect(phone.server.actions == 2)
        #expect(await phone.screen.undecided().isEmpty)
        await phone.whenCurrent("apple", "bread", "cheese", "dates")
        try await phone.close()
    }
}

extension LiveScreen {
    /// A Boolean value that indicates whether an action is in a pause before its next attempt.
    fileprivate var isActionPaused: Bool {
        if case .pause? = machine.actions.first?.state { true } else { false }
    }
}

extension FaultyTransport {
    /// Loses the responses to the next `count` requests for actions.
    func loseActionResponses(_ count: Int) {
        let rest = Counter(count)
        choose { $0.url.contains("/actions/") && rest.takeOne() ? .responseLost : nil }
    }

    private final class Counter: Sendable {
        private let rest: Mutex<Int>

        init(_ count: Int) { rest = Mutex(count) }

        func takeOne() -> Bool {
            rest.withLock { rest in
                rest -= 1
                return rest >= 0
            }
        }
    }
}

extension MemoryTransport {
    /// The number of requests for actions that the server answered.
    var actions: Int { exchanges.count { $0.line.contains("/actions/") } }

    /// Waits until the server has answered this number of requests for actions.
    func whenActed(_ count: Int) async {
        while actions < count, !Task.isCancelled { await Task.yield() }
    }
}
