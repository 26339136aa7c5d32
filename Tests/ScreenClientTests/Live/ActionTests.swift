import Foundation
import ScreenDiff
import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ActionTests {
    let server = ScriptedTransport()
    let store = MemoryStore()

    private func loaded(_ snapshot: String = Letters.snapshot("1", "ab")) async throws -> LiveScreen {
        let client = ScreenClient(base: URL(string: "http://test")!, user: "u", transport: server, snapshots: nil, attempts: store)
        let screen = client.screen("letters")
        let loading = Task { try await screen.refresh() }
        try await server.next().respond(200, snapshot)
        try await loading.ended()
        return screen
    }

    private static func problem(_ status: Int, _ outcome: String?) -> String {
        #"{"type":"t","title":"T","status":\#(status),"detail":"D""# + (outcome.map { #","outcome":"\#($0)""# } ?? "") + "}"
    }

    @Test func anActionSendsItsInputAndTheScreenShowsTheReceivedChanges() async throws {
        let screen = try await loaded()
        let add = screen.action("add")
        let execution = Task { try await add(["letter": "c", "number": .number("12345678901234567890")]) }
        let request = try await server.next()
        #expect(request.line == "POST /screens/letters/actions/add")
        #expect(request.body == #"{"version":"1","input":{"letter":"c","number":12345678901234567890}}"#)
        let key = try #require(request.header("Idempotency-Key"))
        #expect(await store.attempts(of: "u").map(\.key) == [key], "the attempt is stored before it is sent")
        #expect(add.isExecuting && !add.isEnabled)
        await #expect(throws: ActionError.self) { try await add([:]) }
        request.respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        try await execution.ended()
        #expect(screen.letters == "abc")
        #expect(add.isEnabled)
        #expect(await store.attempts(of: "u").isEmpty)
    }

    @Test(arguments: [400, 422]) func anActionWithInvalidInputThrowsAnErrorThatNamesTheField(status: Int) async throws {
        let screen = try await loaded()
        let execution = Task { try await screen.action("add")([:]) }
        try await server.next().respond(
            status,
            #"{"type":"t","title":"T","status":\#(status),"detail":"D","outcome":"not-performed","errors":[{"pointer":"/input/letter","detail":"is missing"}]}"#
        )
        let error = await #expect(throws: ActionError.self) { try await execution.ended() }
        guard case .invalid(let problem)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.errors.map(\.place) == [.pointer("/input/letter")])
        #expect(await store.attempts(of: "u").isEmpty)
    }

    @Test func anActionThatReceivesNoResponseIsRepeatedWithTheSameKey() async throws {
        let screen = try await loaded()
        screen.client.pauseUntilNetworkChanges()
        let execution = Task { try await screen.action("add")([:]) }
        let first = try await server.next()
        first.fail()
        await whenTrue {
            _ = screen.connection
            return !screen.machine.isReachable
        }
        screen.client.networkChanged()
        let second = try await server.next()
        #expect(second.header("Idempotency-Key") == first.header("Idempotency-Key"))
        second.respond(200, Letters.unchanged("1"))
        try await execution.ended()
    }

    @Test(arguments: ["{}", #""ok""#, #"{"blocked":true}"#, #"{"kind":"page"}"#, Letters.snapshot("1", "ab", screen: "words")])
    func anActionIsRepeatedIfItsResponseIsNoDocumentOfItsScreen(body: String) async throws {
        let screen = try await loaded()
        screen.client.pauseUntilNetworkChanges()
        let execution = Task { try await screen.action("add")([:]) }
        let first = try await server.next()
        first.respond(200, body)
        await whenTrue {
            _ = screen.connection
            return !screen.machine.isReachable
        }
        screen.client.networkChanged()
        let second = try await server.next()
        #expect(second.header("Idempotency-Key") == first.header("Idempotency-Key"))
        second.respond(200, Letters.unchanged("1"))
        try await execution.ended()
    }

    @Test func anActionCountsAsPerformedEvenIfTheDocumentInItsResponseCannotBeRead() async throws {
        let screen = try await loaded()
        let execution = Task { try await screen.action("add")([:]) }
        try await server.next().respond(200, #"{"kind":"changeset","screen":"letters"}"#)
        try await execution.ended()
        #expect(try await server.next().line == "POST /screens/letters/changes")
    }

    @Test func aScreenOfALaterUserSendsNoPositionsOfTheEarlierUser() async throws {
        let screen = try await loaded()
        let execution = Task { try await screen.action("add")([:]) }
        try await server.next().respond(200, Letters.unchanged("1"), [("Relist-Position", "p")])
        try await execution.ended()
        func position() async throws -> String? {
            let other = screen.client.screen("letters")
            let loading = Task { try await other.refresh() }
            let request = try await server.next()
            request.respond(200, Letters.snapshot("1", "ab"))
            try await loading.ended()
            return request.header("Relist-Position")
        }
        #expect(try await position() == "p")
        await screen.client.reset(user: "v")
        #expect(try await position() == nil)
    }

    @Test func aCancelledActionThatWasAlreadySentCanBeRetried() async throws {
        let screen = try await loaded()
        let execution = Task { try await screen.action("add")(["letter": "c"]) }
        let first = try await server.next()
        execution.cancel()
        let error = await #expect(throws: ActionError.self) { try await execution.ended() }
        guard case .undecided(.cancelled)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        let attempts = await screen.undecided()
        #expect(attempts.map(\.key) == [first.header("Idempotency-Key")])
        let retry = Task { try await screen.retry(attempts[0]) }
        let second = try await server.next()
        #expect(second.header("Idempotency-Key") == attempts[0].key)
        #expect(second.body == #"{"version":"1","input":{"letter":"c"}}"#)
        second.respond(200, Letters.unchanged("1"))
        try await retry.ended()
        #expect(await screen.undecided().isEmpty)
    }

    @Test func anActionIsDisabledIfItsCellListsItAsDisabled() async throws {
        let screen = try await loaded(Letters.snapshot("1", "a", disabled: true))
        #expect(!screen.action("add", cell: "a").isEnabled)
        #expect(screen.action("add").isEnabled)
        #expect(screen.action("remove", cell: "a").isEnabled)
    }

    @Test func aRequestIsRepeatedWithANewTokenIfItsTokenIsRejected() async throws {
        let calls = Mutex<[String?]>([])
        let client = ScreenClient(
            base: URL(string: "http://test")!, transport: server, snapshots: nil, attempts: nil,
            tokenSource: { refused in
                calls.withLock {
                    $0.append(refused); return refused == nil && $0.count == 1 ? "old" : "new"
                }
            })
        let screen = client.screen("letters")
        let loading = Task { try await screen.refresh() }
        let first = try await server.next()
        #expect(first.header("Authorization") == "Bearer old")
        first.respond(401, Self.problem(401, nil))
        let second = try await server.next()
        #expect(second.header("Authorization") == "Bearer new")
        #expect(calls.withLock { $0.contains("old") })
        second.respond(200, Letters.snapshot("1", "a"))
        try await loading.ended()
    }

    @Test func aRefreshThrowsATokenErrorIfTheTokenSourceFails() async throws {
        struct Expired: Error {}
        let client = ScreenClient(
            base: URL(string: "http://test")!, transport: server, snapshots: nil, attempts: nil, tokenSource: { _ in throw Expired() })
        let error = await #expect(throws: ScreenError.self) { try await client.screen("letters").refresh() }
        guard case .token(let cause)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(cause is Expired)
    }
}
