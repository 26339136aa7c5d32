import DocumentTexts
import Foundation
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1))) struct PresentingScreens {
    private let server = ScriptedTransport()

    /// The links that were opened, and the errors that were reported.
    private final class Choices {
        var opened: [ScreenLink] = []
        var errors: [any Error] = []
    }
    private let made = Choices()

    /// Returns a screen whose first cell has this member, and the choices of its list.
    private func choices(_ member: String = #""n":1"#) async throws -> (LiveScreen, ListChoices) {
        let screen = ScreenClient(base: URL(string: "http://test")!, transport: server, snapshots: nil, attempts: nil).screen("letters")
        let loading = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "ab").replacing(#""id":"a","#, with: #""id":"a",\#(member),"#))
        try await loading.ended()
        let made = made
        return (screen, ListChoices(screen: screen, open: { made.opened.append($0) }, report: { made.errors.append($0) }))
    }

    @Test func selectingACellPerformsItsAction() async throws {
        let (screen, choices) = try await choices(#""action":{"name":"add","input":{"letter":"c"}}"#)
        let selection = choices.select(screen.model.sections[0].cells[0], id: "a")
        let request = try await server.next()
        #expect(request.line == "POST /screens/letters/actions/add" && request.body.contains(#""input":{"letter":"c"}"#))
        request.respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        try await selection?.ended()
        #expect(screen.letters == "abc")
    }

    @Test func aRejectedActionIsReported() async throws {
        let (screen, choices) = try await choices(#""action":{"name":"add"}"#)
        let selection = choices.select(screen.model.sections[0].cells[0], id: "a")
        try await server.next().respond(422, #"{"type":"t","title":"T","status":422,"detail":"D","outcome":"not-performed"}"#)
        try await selection?.ended()
        #expect(made.errors.count == 1 && made.errors.first is ActionError)
    }

    @Test func aLinkToTheSameScreenChangesTheParametersOfTheScreen() async throws {
        let (screen, choices) = try await choices(#""link":{"screen":"letters","parameters":{"limit":"5"}}"#)
        let selection = choices.select(screen.model.sections[0].cells[0], id: "a")
        let request = try await server.next()
        #expect(request.line == "POST /screens/letters/changes?limit=5")
        request.respond(200, Letters.snapshot("2", "abc"))
        try await selection?.ended()
        #expect(screen.letters == "abc" && screen.parameters == ["limit": "5"] && made.opened.isEmpty)
    }

    /// The result of a request is held while a field is edited.
    @Test func theEditingOfAFieldEndsBeforeAnEffect() async throws {
        var (_, choices) = try await choices(#""action":{"name":"add"}"#)
        let cells = choices.screen.model.sections[0].cells
        var endings = 0
        choices.endEditing = { endings += 1 }
        choices.select(cells[1], id: "b")
        #expect(endings == 0, "a cell without an effect")
        choices.select(cells[0], id: "a")
        #expect(endings > 0)
        endings = 0
        choices.perform("add", [:], id: "a")
        #expect(endings == 1)
    }

    @Test func aLinkToAnotherScreenIsOpenedByTheApp() async throws {
        let (screen, choices) = try await choices(#""link":{"screen":"planets"}"#)
        #expect(choices.select(screen.model.sections[0].cells[0], id: "a") == nil && made.opened == [ScreenLink("planets")])
        #expect(choices.select(screen.model.sections[0].cells[1], id: "b") == nil && made.opened.count == 1)
    }

    /// Returns a presenter whose view shows the content of a screen.
    private func presenter(of screen: LiveScreen) -> ListPresenter {
        let presenter = ListPresenter(screen)
        presenter.show(ListUpdate(kind: .snapshot, model: screen.model), animated: true)
        return presenter
    }

    private func letters(_ presenter: ListPresenter) -> String { presenter.sections.flatMap(\.cells).map(\.id).joined() }

    /// Returns an update that inserts a letter. It stands for a change by another user.
    private func insert(_ letter: Character, into screen: LiveScreen) throws -> ListUpdate {
        var tree = try DocumentTexts.tree(String(decoding: screen.model.document(), as: UTF8.self))
        let changeset = try DocumentTexts.changeset(read: Letters.insert(letter, at: 0, from: "1", to: "2"))
        let steps = try tree.steps(applying: changeset, registry: CellRegistry())
        return ListUpdate(kind: .stages(steps), model: ListModel(tree, registry: CellRegistry()))
    }

    @Test func theViewIsNotChangedWhileAFingerScrolls() async throws {
        let (screen, _) = try await choices()
        let presenter = presenter(of: screen)
        var counts: [Int] = []
        presenter.countChanged = { counts.append($0) }
        presenter.waitForNextCheck = { throw CancellationError() }
        presenter.isScrolling = { true }
        presenter.show(try insert("c", into: screen), animated: true)
        #expect(letters(presenter) == "ab")
        presenter.showHeld()
        #expect(letters(presenter) == "cab" && counts == [1, 0])
    }

    /// Some scrolls end without a call of the delegate, and an app can replace the delegate.
    @Test func aHeldChangeIsShownWhenTheViewNoLongerScrolls() async throws {
        let (screen, _) = try await choices()
        let presenter = presenter(of: screen)
        let (checks, check) = AsyncStream.makeStream(of: Void.self)
        let (shown, show) = AsyncStream.makeStream(of: String.self)
        presenter.waitForNextCheck = {
            for await _ in checks { return }
            throw CancellationError()
        }
        var answers = [true, true, false]
        presenter.isScrolling = { answers.removeFirst() }
        presenter.countChanged = { [weak presenter] _ in show.yield(presenter.map { letters($0) } ?? "") }
        presenter.show(try insert("c", into: screen), animated: true)
        check.yield()
        check.yield()
        var shownLetters = shown.makeAsyncIterator()
        #expect(await shownLetters.next() == "ab")
        #expect(await shownLetters.next() == "cab" && answers.isEmpty)
    }

    @Test func aChangeIsNotHeldIfTheViewStoppedScrolling() async throws {
        let (screen, _) = try await choices()
        let presenter = presenter(of: screen)
        presenter.waitForNextCheck = { throw CancellationError() }
        presenter.isScrolling = { true }
        presenter.show(try insert("c", into: screen), animated: true)
        presenter.isScrolling = { false }
        presenter.show(try insert("d", into: screen), animated: true)
        #expect(letters(presenter) == "dab" && presenter.held.count == 0)
    }

    @Test func aRefreshShowsTheHeldChanges() async throws {
        let (screen, _) = try await choices()
        let presenter = presenter(of: screen)
        presenter.begin(.pause)
        presenter.show(try insert("c", into: screen), animated: true)
        let refresh = Task { try await screen.refresh() }
        let request = try await server.next()
        #expect(letters(presenter) == "cab" && presenter.held.count == 0)
        request.respond(200, Letters.snapshot("1", "ab"))
        try await refresh.ended()
        presenter.show(try insert("d", into: screen), animated: true)
        #expect(letters(presenter) == "dab", "the result of the request")
    }

    @Test func anActionThatTheAppStartsDirectlyCountsAsARequestOfTheUser() async throws {
        let (screen, _) = try await choices()
        let presenter = presenter(of: screen)
        presenter.begin(.pause)
        let action = Task { try await screen.action("add")() }
        let request = try await server.next()
        presenter.show(try insert("c", into: screen), animated: true)
        #expect(letters(presenter) == "cab")
        request.respond(200, Letters.insert("c", at: 0, from: "1", to: "2"))
        try await action.ended()
    }

    /// The removal of the content and the content after it can arrive as one change.
    @Test func theContentOfAnotherUserIsNotHeld() async throws {
        let (screen, _) = try await choices()
        let presenter = presenter(of: screen)
        presenter.begin(.pause)
        presenter.show(try insert("c", into: screen), animated: true)
        let next = ListUpdate(kind: .snapshot, model: try insert("d", into: screen).model)
        screen.reset()
        #expect(presenter.held.count == 0)
        presenter.show(next, animated: true)
        #expect(letters(presenter) == "dab")
    }

    @Test func heldChangesAreCountedAndShownWhenTheAppAsks() async throws {
        let (screen, _) = try await choices()
        let list = ScreenListView(showing: screen, in: CellViews(registry: CellRegistry()), report: { _ in }, open: { _ in })
        list.presenter.show(ListUpdate(kind: .snapshot, model: screen.model), animated: true)
        var counts: [Int] = []
        list.heldCountChanged = { counts.append($0) }
        list.begin(.editing)
        list.presenter.show(try insert("c", into: screen), animated: true)
        #expect(letters(list.presenter) == "ab" && list.heldCount == 1)
        list.showHeld()
        #expect(letters(list.presenter) == "cab" && counts == [1, 0])
    }
}
