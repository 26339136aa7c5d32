import Foundation
import ScreenModel
import ScreenService
import ScreenWire
import Testing

/// The screens of the readme are complete: they are served here as they stand there.
struct ReadmeTests {
    @Test(arguments: ["Planets", "Groceries"])
    func aScreenStandsInTheReadmeAsItStandsHere(name: String) throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let screen = try String(contentsOf: here.appending(path: "\(name).swift"), encoding: .utf8)
        let readme = try String(contentsOf: here.appending(path: "../../../README.md").standardized, encoding: .utf8)
        #expect(readme.contains("```swift\n\(screen)```"))
    }

    @Test func planetsAreServed() async throws {
        let service = try await service([Planets()])
        let view = try service.catalog.view(of: "planets", parameters: [("limit", "5")], locale: .french, caller: .user("anna"))
        let document = try await service.snapshot(of: view).value.text
        #expect(document.contains(#""title":"Planètes","sections":[{"id":"inner","cells":[{"id":"Mercury","type":"planet","name":"Mercury"}"#))
        #expect(document.contains(#"{"id":"outer","cells":[{"id":"Jupiter","type":"planet","name":"Jupiter"}]}"#))
    }

    @Test func groceriesAreAddedOnce() async throws {
        let store = ServiceStoreInMemory()
        let service = try await service([Groceries(list: GroceryList(topics: store.topics))], over: store)
        let view = try service.catalog.view(of: "groceries", parameters: [], locale: .english, caller: .user("anna"))
        let version = try await service.snapshot(of: view).value.version
        let request = ActionRequest(
            action: "add", user: "anna", version: version, input: .object([.init("item", .string("Flour"))]), idempotencyKey: nil
        )
        let answer = try await service.perform(request, on: view).text
        #expect(answer.contains(#"{"id":"Flour","type":"grocery","text":"Flour"}"#))
        await #expect(throws: BrokenRules([BrokenRule(field: "item", "It is on the list already.")])) {
            try await service.perform(request, on: view)
        }
    }

    private func service(_ screens: [any Screen], over store: ServiceStoreInMemory = ServiceStoreInMemory()) async throws -> ScreenService {
        try await ScreenService(catalog: try ScreenCatalog(screens), store: store, logger: .silent)
    }
}
