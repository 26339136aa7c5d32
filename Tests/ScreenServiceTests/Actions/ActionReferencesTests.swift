import ScreenModel
import ScreenWire
import Testing

@testable import ScreenService

@Suite("References to static actions") struct ActionReferencesTests {
    @Test func anActionHandlerReceivesTheScreenToWhichTheActionBelongs() async throws {
        let counter = Counter(step: 3)
        let handler = try Counter.count.handler(for: .object([.init("times", .number("2"))]), on: counter)
        let screen = ScreenRequest(view: ScreenView(screen: "counter", audience: .everyone, revision: 1, locale: .english, parameters: []))
        await #expect(throws: Counter.Counted(sum: 6)) {
            try await handler(ActionContext(screen: screen, caller: .anonymous, idempotencyKey: nil))
        }
    }

    @Test func aCatalogRejectsAScreenThatListsAnActionOfAnotherScreen() throws {
        #expect(throws: CatalogFaults(faults: [.foreignAction(screen: "thief", "count")])) { try ScreenCatalog([Thief()]) }
        #expect(throws: Never.self) { try ScreenCatalog([Counter(step: 1)]) }
    }

    @Test func aReferenceToAnActionHasTheNameAndTitleOfTheAction() {
        let offered = OfferedAction(Counter.count, in: .french, input: ["times": 1], isDestructive: true)
        #expect(offered == OfferedAction("count", title: "Compter", input: ["times": 1], isDestructive: true))
        #expect(OfferedAction(Counter.reset, in: .french).title == "reset")
        #expect(ScreenAction(Counter.count, input: ["times": 1]) == ScreenAction("count", input: ["times": 1]))
    }
}

private struct Counter: Screen {
    struct Counted: Error, Hashable {
        let sum: Int
    }

    static let name = "counter"
    static let times = Field.integer("times", Text("Times", fr: "Fois"), in: 1...9)
    static let count = Action("count", title: Text("Count", fr: "Compter"), "Counts.", times) { (counter: Counter, _, times) in
        throw Counted(sum: counter.step * times)
    }
    static let reset = Action("reset", "Starts again.") { _ in }

    let title: Text = "Counter"
    let visibility = Visibility.everyone
    let actions = [count, reset]
    let step: Int

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
        ScreenContent(title: "Counter", model: TableViewModel())
    }
}

private struct Thief: Screen {
    static let name = "thief"
    let title: Text = "Thief"
    let visibility = Visibility.everyone
    let actions = [Counter.count]

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
        ScreenContent(title: "Thief", model: TableViewModel())
    }
}
