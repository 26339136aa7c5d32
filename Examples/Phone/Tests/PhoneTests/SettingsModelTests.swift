import Foundation
import ScreenClient
import Testing

@testable import Phone

@MainActor
struct SettingsModelTests {
    let server = ScriptedServer()

    @Test func aRenamingWithAnUnknownOutcomeCanBeSentAgain() async throws {
        let phone = Phone(
            server: URL(string: "http://server")!, user: "ada", tokens: { _ in nil }, transport: server, store: MemoryStore())
        let model = phone.settings()
        let renaming = Task { await model.rename(firstName: "Ada") }
        try await server.next().respond(403, #"{"type":"t","title":"T","status":403,"detail":"D"}"#)
        await renaming.value
        #expect(model.alert != nil)
        let attempt = try #require(model.undecided.first)
        let repeating = Task { await model.sendAgain(attempt) }
        let request = try await server.next()
        #expect(request.body == #"{"input":{"firstName":"Ada"}}"#)
        request.respond(204, "")
        await repeating.value
        #expect(model.undecided.isEmpty && model.alert == nil)
    }
}
