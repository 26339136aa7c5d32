import ScreenModel
import ScreenWire
import Testing

@testable import RelistCommand

@Suite("The state of relist watch") struct WatchedStateTests {
    private func state(_ rows: String, selecting steps: Int = 0) -> WatchedState {
        var state = WatchedState()
        state.show(WatchedRow.rows(rows))
        for _ in 0..<steps { _ = state.press(.down) }
        return state
    }

    private func type(_ text: String, into state: inout WatchedState) {
        for character in text { #expect(state.press(.character(character)) == nil) }
    }

    @Test func afterTheSelectedRowWasDeletedTheFirstEnterOnlyConfirmsTheNewSelection() {
        var state = state("1 2 3", selecting: 1)
        state.show(WatchedRow.rows("1 3"))
        #expect(state.list.selected == "3" && state.message == "The selected row was deleted.")
        #expect(state.press(.enter) == nil && state.message.contains("Press the key again"))
        #expect(state.press(.enter) == .open && state.message == "")
    }

    @Test func afterTheSelectedRowWasDeletedAnArrowConfirmsTheSelection() {
        var state = state("1 2 3", selecting: 1)
        state.show(WatchedRow.rows("1 3"))
        #expect(state.press(.up) == nil && state.message == "")
        #expect(state.press(.character("a")) == .offer)
    }

    @Test func theHomeEndAndPageKeysMoveTheSelection() {
        var state = state((0..<50).map(String.init).joined(separator: " "), selecting: 0)
        let moves: [(KeyReader.Key, String)] = [
            (.pageDown, "20"), (.bottom, "49"), (.pageUp, "29"), (.top, "0"), (.character("G"), "49"), (.character("g"), "0"),
        ]
        for (key, selected) in moves {
            #expect(state.press(key) == nil)
            #expect(state.list.selected == selected)
        }
    }

    @Test func rowsThatASearchRemovesNeedNoConfirmation() {
        var state = state("1 2 3", selecting: 1)
        state.search("Search", parameter: "q", text: "")
        #expect(state.press(.character("x")) == .searchFor(parameter: "q", text: "x") && state.press(.enter) == nil)
        state.show(WatchedRow.rows("1 3"))
        #expect(state.list.selected == "3" && state.message == "" && state.press(.enter) == .open)
        state.show(WatchedRow.rows("1"))
        #expect(state.press(.enter) == nil && state.message.contains("Press the key again"))
    }

    @Test func aFormSendsItsActionAfterItsLastField() throws {
        var state = state("1")
        #expect(state.ask(try ActionFormTests.form("weigh", ["day": "2018-07-01"])) == nil)
        #expect(state.prompt?.title == "Day (a date such as 2018-07-01)" && state.prompt?.text == "2018-07-01")
        #expect(state.press(.backspace) == nil)
        type("2", into: &state)
        #expect(state.press(.enter) == nil)
        type("10", into: &state)
        #expect(state.press(.enter) == nil && state.prompt?.title == "Note, optional")
        guard case .send(let action, "Weigh", let input) = state.press(.enter) else { return #expect(Bool(false)) }
        #expect(action.name == "weigh" && input == ["day": "2018-07-02", "kilograms": .number("10")] && state.prompt == nil)
    }

    @Test func anActionWithoutFieldsIsSentAtOnce() throws {
        var state = state("1")
        let form = try ActionFormTests.form("wipe")
        #expect(state.ask(form) == .send(form.action, title: "Wipe", input: [:]) && state.prompt == nil)
    }

    @Test func aTextThatIsNoChoiceIsAskedForAgain() throws {
        var state = state("1")
        let form = try ActionFormTests.form("void")
        _ = state.ask(form)
        type("3", into: &state)
        #expect(state.press(.enter) == nil && state.message == "“3” is none of the choices.")
        #expect(state.prompt?.title.hasPrefix("Reason") == true)
        _ = (state.press(.clear), type("2", into: &state))
        #expect(state.press(.enter) == .send(form.action, title: "Void", input: ["reason": "1"]) && state.message == "")
    }

    @Test(arguments: [("y", true), ("Yes", true), ("n", false), ("", false)])
    func aDestructiveActionIsSentIfTheUserConfirmsIt(typed: String, isSent: Bool) throws {
        var state = state("1")
        let action = ChosenAction(name: "wipe", cell: "1", input: [:], isDestructive: true)
        #expect(state.ask(try #require(ActionFormTests.catalog().form(of: action, on: "x"))) == nil)
        #expect(state.prompt?.title == "Wipe? (y or n)")
        type(typed, into: &state)
        #expect(state.press(.enter) == (isSent ? .send(action, title: "Wipe", input: [:]) : nil))
        #expect(state.message == (isSent ? "" : "“Wipe” was not sent."))
    }

    @Test func escapeReportsThatTheFormWasNotSent() throws {
        var state = state("1")
        _ = state.ask(try ActionFormTests.form("weigh"))
        #expect(state.press(.escape) == nil && state.prompt == nil && state.message == "“Weigh” was not sent.")
    }

    @Test func ctrlUClearsTheTextOfAPrompt() throws {
        var state = state("1")
        _ = state.ask(try ActionFormTests.form("weigh", ["day": "2018-07-01"]))
        #expect(state.press(.clear) == nil && state.prompt?.text == "")
    }

    @Test func typingTheNumberOfAnActionBeginsTheAction() {
        let actions = [OfferedAction("no", title: "No", isDisabled: true), OfferedAction("join", title: "Join", input: ["ssid": "a"])]
        var state = state("1")
        state.offer(actions, of: "1")
        #expect(state.prompt?.title == "1 Join")
        type("1", into: &state)
        #expect(state.press(.enter) == .begin(ChosenAction(name: "join", cell: "1", input: ["ssid": "a"])))
        state.offer(actions, of: "1")
        type("2", into: &state)
        #expect(state.press(.enter) == nil && state.message == "There is no action 2. Nothing was sent.")
        state.offer(actions, of: "1")
        type(String(Int.min), into: &state)
        #expect(state.press(.enter) == nil && state.message == "There is no action \(Int.min). Nothing was sent.")
    }

    @Test func returnWithoutANumberEndsTheChoiceOfAnAction() {
        var state = state("1")
        state.offer([OfferedAction("join", title: "Join")], of: "1")
        #expect(state.prompt != nil)
        #expect(state.press(.enter) == nil && state.prompt == nil && state.message == "")
    }

    @Test func aLineNamesTheActionsInProgressAndTheUndecidedOnes() {
        var state = state("1")
        (state.pending, state.undecided) = (["Weigh"], ["Wipe"])
        let question = "The outcome of “Wipe” is not known: s sends again, d dismisses."
        #expect(state.actions == "“Weigh” in progress …  \(question)")
        #expect(state.press(.character("s")) == .sendAgain && state.press(.character("d")) == .discard)
        state.undecided = []
        #expect(state.press(.character("s")) == nil && state.press(.character("d")) == nil)
    }

    @Test func aMessageAboutTheConnectionEndsWhenTheServerIsReachedAgain() {
        var state = state("1")
        state.report("offline", endsWhenConnected: true)
        state.connect()
        #expect(state.message == "")
        state.report("The day is full.")
        state.connect()
        #expect(state.message == "The day is full.")
    }

    @Test func openingAScreenRemovesTheMessageButKeepsTheActionsInProgress() {
        var state = state("1 2", selecting: 1)
        state.pending = ["Weigh"]
        state.report("old")
        state.openScreen()
        #expect(state.actions == "“Weigh” in progress …" && state.message == "" && state.list.selected == nil)
    }

    @Test func ctrlCQuitsEvenInAPrompt() throws {
        var state = state("1")
        _ = state.ask(try ActionFormTests.form("weigh"))
        #expect(state.press(.character("q")) == nil && state.prompt?.text == "q")
        #expect(state.press(.end) == .quit)
    }
}
