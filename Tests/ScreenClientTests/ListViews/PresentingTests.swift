import Foundation
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1))) struct PresentingScreens {
    private let server = ScriptedTransport()

    /// Returns a presenter of a screen. The JSON of the first cell contains `member`.
    private func presenter(_ member: String) async throws -> ListPresenter {
        let screen = ScreenClient(base: URL(string: "http://test")!, transport: server, snapshots: nil, attempts: nil).screen("letters")
        let loading = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "ab").replacing(#""id":"a","#, with: #""id":"a",\#(member),"#))
        try await loading.value
        let presenter = ListPresenter(screen)
        presenter.show(ListUpdate(kind: .snapshot, model: screen.model), animated: false)
        return presenter
    }

    private func first(_ presenter: ListPresenter) -> ListModel.Cell { presenter.sections[0].cells[0] }

    @Test func selectingACellPerformsItsAction() async throws {
        let presenter = try await presenter(#""action":{"name":"add","input":{"letter":"c"}}"#)
        let selection = presenter.select(first(presenter))
        let request = try await server.next()
        #expect(request.line == "POST /screens/letters/actions/add" && request.body.contains(#""input":{"letter":"c"}"#))
        request.respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        await selection?.value
        #expect(presenter.screen.letters == "abc")
    }

    @Test func aRejectedActionIsReported() async throws {
        let presenter = try await presenter(#""action":{"name":"add"}"#)
        var errors: [any Error] = []
        presenter.report = { errors.append($0) }
        let selection = presenter.select(first(presenter))
        try await server.next().respond(422, #"{"type":"t","title":"T","status":422,"detail":"D","outcome":"not-performed"}"#)
        await selection?.value
        #expect(errors.count == 1 && errors.first is ActionError)
    }

    @Test func aLinkToTheSameScreenChangesTheParametersOfTheScreen() async throws {
        let presenter = try await presenter(#""link":{"screen":"letters","parameters":{"limit":"5"}}"#)
        presenter.open = { _ in Issue.record("the link is opened") }
        let selection = presenter.select(first(presenter))
        let request = try await server.next()
        #expect(request.line == "POST /screens/letters/changes?limit=5")
        request.respond(200, Letters.snapshot("2", "abc"))
        await selection?.value
        #expect(presenter.screen.letters == "abc" && presenter.screen.parameters == ["limit": "5"])
    }

    @Test func aLinkToAnotherScreenIsOpenedByTheApp() async throws {
        let presenter = try await presenter(#""link":{"screen":"planets"}"#)
        var opened: [ScreenLink] = []
        presenter.open = { opened.append($0) }
        #expect(presenter.select(first(presenter)) == nil && opened == [ScreenLink("planets")])
        #expect(presenter.select(presenter.sections[0].cells[1]) == nil && opened.count == 1)
    }

    @Test func theViewIsNotChangedWhileAFingerScrolls() async throws {
        let presenter = try await presenter(#""n":1"#)
        var performed = 0
        presenter.perform = { update, setData in
            performed += 1
            setData(update.model.sections)
        }
        var iterator = presenter.screen.updates.makeAsyncIterator()
        _ = await iterator.next()
        presenter.begin(.scrolling)
        let loading = Task { try await presenter.screen.refresh() }
        try await server.next().respond(200, Letters.insert("c", at: 0, from: "1", to: "2"))
        try await loading.value
        presenter.show(try #require(await iterator.next()), animated: true)
        #expect(performed == 0 && presenter.sections[0].cells.count == 2)
        presenter.end(.scrolling)
        #expect(performed == 1 && presenter.sections[0].cells.count == 3)
    }
}
