import Foundation
import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

@Suite("Actions") struct ActionsTests {
    @Test func theResponseToAnActionIncludesTheChangesOfTheAction() async throws {
        let letters = try await LetterService()
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value
        var held = try HeldDocument(old.bytes)
        let response = try await letters.service.perform(.add("d", from: old.version), on: view)
        try held.apply(response.bytes)
        #expect(try await held == HeldDocument(letters.service.snapshot(of: view).value.bytes))
        #expect(response.text.contains(#""insertCells""#))
    }

    @Test func anActionRequestWithoutAVersionReceivesASnapshot() async throws {
        let letters = try await LetterService()
        let response = try await letters.service.perform(.add("d"), on: letters.view())
        #expect(response.text.contains(#""reason":"initial""#))
        #expect(response.text.contains("the letter d"))
    }

    @Test func allInvalidInputFieldsOfAnActionAreReportedAndItsHandlerDoesNotRun() async throws {
        let letters = try await LetterService()
        let input: JSONValue = .object([.init("letter", .string("dd")), .init("times", .number("4")), .init("more", .null)])
        await #expect(
            throws: InputFaults(faults: [
                InputFault(field: "letter", cause: .malformed(.text(limit: 1))),
                InputFault(field: "times", cause: .malformed(.integer(1...3))),
            ])
        ) { try await letters.service.perform(.of("add", input), on: letters.view()) }
        await #expect(throws: InputFaults(faults: [InputFault(field: "letter", cause: .missing(.text(limit: 1)))])) {
            try await letters.service.perform(.of("add", .object([])), on: letters.view())
        }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c"])
    }

    @Test func anOptionalInputFieldOfAnActionCanBeAbsentOrNull() async throws {
        let letters = try await LetterService()
        for times in [[], [JSONValue.Member("times", .null)], [.init("times", .number("2"))]] {
            _ = try await letters.service.perform(.of("add", .object([.init("letter", .string("d"))] + times)), on: letters.view())
        }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d", "d", "d", "d"])
    }

    @Test func anActionFailsWithTheBrokenRulesThatItsHandlerThrows() async throws {
        let letters = try await LetterService()
        await #expect(throws: BrokenRules([BrokenRule(field: "letter", "No x.")])) {
            try await letters.service.perform(.add("x"), on: letters.view())
        }
    }

    private struct Unexpected: Error {}

    @Test(
        arguments: [nil, "k"],
        [Unexpected(), DataUnavailable(reason: "busy"), ScreenError.noSuchValue(parameter: "q", detail: "")] as [any Error])
    func anActionIsReportedAsPerformedIfItsResponseCannotBeComputed(key: String?, _ error: any Error) async throws {
        let letters = try await LetterService()
        letters.store.fail(error)
        await #expect(throws: ActionFault.performedButNotAnswered) {
            try await letters.service.perform(.of("clear", .object([]), key: key), on: letters.view())
        }
        #expect(try await letters.store.read("everyone") == [])
    }

    private struct FullReceipts: ReceiptStoring {
        func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? { nil }
        func keep(_ receipt: ActionReceipt) async throws { throw DataUnavailable(reason: "full") }
    }

    /// If the action were not reported as performed, the client could repeat the request. The action would then be performed
    /// twice.
    @Test func anActionIsReportedAsPerformedIfItsReceiptCannotBeStored() async throws {
        let letters = try await LetterService(receipts: FullReceipts())
        await #expect(throws: ActionFault.performedButNotAnswered) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func aHandlerReadsTheTimeOfTheServersClock() async throws {
        let handlers = try await HandlerService()
        try await handlers.perform { _ in }
        #expect(handlers.screen.times.withLock { $0 } == [Date(timeIntervalSince1970: 1000)])
    }

    @Test func theErrorForAnUnknownActionContainsTheNamesOfTheKnownActions() async throws {
        let letters = try await LetterService()
        await #expect(throws: ActionFault.unknownAction("fly", screen: "letters", known: ["add", "clear"])) {
            try await letters.service.perform(.of("fly", .object([])), on: letters.view())
        }
    }

    @Test func theListOfScreensDescribesActionsAndTheirInput() async throws {
        let letters = try await LetterService()
        let list = String(decoding: letters.service.catalog.document(in: .french), as: UTF8.self)
        #expect(
            list.contains(
                #"{"name":"add","description":"Adds a letter.","input":[{"name":"letter","title":"Lettre","type":"text","#
                    + #""shape":"a text of at most 1 characters, none of them U+0000","limit":1,"required":true,"source":"user"},"#
                    + #"{"name":"times","title":"Times","type":"integer","shape":"a whole number from 1 to 3","#
                    + #""minimum":1,"maximum":3,"required":false,"source":"user"}]}"#
            ))
    }
}

extension ActionRequest {
    static func of(_ action: String, _ input: JSONValue, from version: String? = nil, key: String? = nil, user: String = "u") -> Self {
        ActionRequest(action: action, caller: .user(user), version: version, input: input, idempotencyKey: key)
    }

    static func add(_ letter: String, from version: String? = nil, key: String? = nil, user: String = "u") -> Self {
        of("add", .object([.init("letter", .string(letter))]), from: version, key: key, user: user)
    }
}
