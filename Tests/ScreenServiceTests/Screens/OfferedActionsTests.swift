import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

/// Tests that cells offer only the actions that the caller may perform.
struct OfferedActionsTests {
    private let topics = Topics()
    private let history = HistoryInMemory()
    private let kitchen: Kitchen
    private let service: ScreenService

    init() async throws {
        kitchen = Kitchen(topics: topics)
        service = try await ScreenService(
            catalog: ScreenCatalog([Orders(kitchen: kitchen)]), store: TestStore(topics: topics, history: history), logger: .silent
        )
    }

    private static func caller(_ name: String, _ role: String) -> Caller {
        .user(name, claims: Claims(.object([.init("role", .string(role))])))
    }

    private let cook = caller("ada", "cook"), chief = caller("grace", "chief")

    private func view(_ caller: Caller) throws -> ScreenView {
        try service.catalog.view(of: "orders", parameters: [], locale: .english, caller: caller)
    }

    private func snapshot(_ caller: Caller) async throws -> Document {
        try await service.snapshot(of: view(caller)).value
    }

    @Test func aCallerIsOfferedOnlyTheActionsThatItMayPerform() async throws {
        let chief = try await snapshot(chief).text
        #expect(
            chief.contains(#""action":{"name":"void"#) && chief.contains(#""actions":[{"name":"cook"#) && chief.contains(#"{"name":"void""#)
        )
        let cook = try await snapshot(cook).text
        #expect(!cook.contains("void") && cook.contains(#""actions":[{"name":"cook"#))
        let anonymous = try await snapshot(.anonymous).text
        #expect(!anonymous.contains("void") && !anonymous.contains(#""actions""#))
    }

    @Test func aHeaderOffersOnlyPermittedActions() async throws {
        #expect(try await snapshot(chief).text.contains(#""type":"bar","action":{"name":"void""#))
        #expect(try await snapshot(cook).text.contains(#""type":"bar"}"#))
    }

    @Test func callersWithTheSameRightsShareAView() async throws {
        #expect(try view(cook) == view(Self.caller("lin", "cook")))
        #expect(try view(cook) != view(chief))
        let snapshots = [try await snapshot(cook), try await snapshot(Self.caller("lin", "cook"))]
        #expect(snapshots[0] === snapshots[1])
    }

    @Test func theContentIsComputedOnceForAllRights() async throws {
        for caller in [cook, chief, .anonymous] { _ = try await snapshot(caller) }
        #expect(kitchen.computations == 1)
        kitchen.change()
        for caller in [.anonymous, chief, cook] { _ = try await snapshot(caller) }
        #expect(kitchen.computations == 2)
    }

    @Test func aChangeOfRightsIsAChangeOfContent() async throws {
        let before = try await snapshot(cook).version
        let changes = try await service.changes(of: view(chief), from: before).value
        let after = try await snapshot(chief).version
        #expect(changes.version == after && after != before)
        #expect(changes.text.contains("void"))
    }

    @Test func aFollowerReceivesTheChangesOfItsOwnRights() async throws {
        let wakes = AsyncStream.makeStream(of: Void.self)
        let subscription = try await service.follow(view(cook)) { wakes.continuation.yield() }.value
        let version = try #require(subscription.feed.latest?.snapshot.version)
        kitchen.change()
        for await _ in wakes.stream {
            guard case .document(let document) = subscription.news(since: version, reported: .current) else { continue }
            let text = try await document.value.text
            #expect(text.contains("order 2") && !text.contains("void"))
            break
        }
    }

    @Test func aVersionThatNoCallerReceivedIsNotStored() async throws {
        let received = try await snapshot(cook).version
        await service.history.flush()
        let hidden = try await snapshot(chief).version
        let keys = try [received, hidden].map { try view(cook).key(#require(Version($0))) }
        #expect(try await history.records(of: keys).map(\.key) == [keys[0]])
    }

    @Test func aFailureOfTheContentReachesAllCallers() async throws {
        kitchen.fail()
        for caller in [cook, chief] { await #expect(throws: Burnt.self) { try await snapshot(caller) } }
        kitchen.change()
        #expect(try await snapshot(cook).text.contains("order"))
    }

    @Test func aScreenWithoutRestrictedActionsHasOneViewForAllCallers() async throws {
        let letters = try await LetterService()
        let views = try [cook, chief, .anonymous].map {
            try letters.service.catalog.view(of: "letters", parameters: [], locale: .english, caller: $0)
        }
        #expect(Set(views).count == 1)
    }

    private struct Burnt: Error {}

    private final class Kitchen: Sendable {
        private let state = Mutex((orders: 1, computations: 0, isFailing: false))
        private let topics: Topics

        init(topics: Topics) {
            self.topics = topics
        }

        var computations: Int { state.withLock { $0.computations } }

        func change() {
            state.withLock { state in
                state.orders += 1
                state.isFailing = false
            }
            topics.announce([Topic("orders")])
        }

        func fail() {
            state.withLock { $0.isFailing = true }
        }

        func read() throws -> Int {
            topics.recorder?.record(Topic("orders"))
            return try state.withLock { state in
                if state.isFailing { throw Burnt() }
                state.computations += 1
                return state.orders
            }
        }
    }

    private struct Orders: Screen {
        static let name = "orders"
        static let cook = Action("cook", "Cooks an order.") { _ in }.access(.users)
        static let void = Action("void", "Voids an order.") { _ in }.access(.users(with: "role", "chief"))

        let title: Text = "Orders"
        let visibility = Visibility.everyone
        let kitchen: Kitchen
        let actions = [cook, void]

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Bar, Order>> {
            let cells = (1...(try kitchen.read())).map { Order(id: "order \($0)") }
            return ScreenContent(title: "Orders", model: TableViewModel(section: TableViewSection(id: "all", header: Bar(), cells: cells)))
        }
    }

    private struct Bar: ViewContent, Selectable {
        var whenSelected: Selection { .action(ScreenAction("void")) }

        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }

    private struct Order: CellContent, Selectable, Equatable {
        let id: String

        var whenSelected: Selection { .action(ScreenAction("void", input: ["order": .string(id)])) }
        var actions: [OfferedAction] {
            [OfferedAction("cook", title: "Cook"), OfferedAction("void", title: "Void", isDestructive: true)]
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }
}
