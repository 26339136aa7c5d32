import Foundation
import ScreenClient
import Testing

@testable import Phone

@MainActor
struct MountainsModelTests {
    let server = ScriptedServer()

    @Test func aSearchDoesNotShowTheResultsOfAnEarlierSearch() async throws {
        let phone = Phone(
            server: URL(string: "http://server")!, user: "ada", tokens: { _ in nil }, transport: server, store: MemoryStore())
        let model = phone.mountains()
        let first = Task { await model.search("m") }
        let earlier = try await server.next()
        let second = Task { await model.search("mo") }
        let later = try await server.next()
        #expect(later.line == "GET http://server/screens/mountains?q=mo&locale=en")
        later.respond(200, Self.snapshot("2", "Mont Blanc"))
        earlier.respond(200, Self.snapshot("1", "Matterhorn"))
        await second.value
        await first.value
        #expect(model.text == "mo")
        #expect(model.mountains.map(\.name) == ["Mont Blanc"])
    }

    private static func snapshot(_ version: String, _ name: String) -> String {
        #"{"kind":"snapshot","screen":"mountains","version":"\#(version)","layout":"table","sections":[{"id":"mountains","cells":["#
            + #"{"id":"a","type":"mountain","name":"\#(name)","height":"4,806 m","country":"France"}]}]}"#
    }
}
