import Logging
import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

/// Tests that only callers with access receive screens and perform actions.
@Suite struct AccessTests {
    private static let editor = Claims(.object([.init("role", .array([.string("reader"), .string("editor")]))]))

    /// A screen for editors and chiefs. All of them see the same content. One action is only for chiefs.
    private struct Board: Screen {
        static let name = "board"
        let visibility = Visibility.everyone
        let isStatic = true
        let access = Access.users(with: "role", "editor", "chief")
        let callers: Callers

        var actions: [Action] {
            [
                Action("note", "Records the caller.") { context in callers.record(context.caller.user ?? "anonymous") },
                Action("close", "Closes it.") { context in callers.record(try context.user) }.access(.users(with: "role", "chief")),
            ]
        }

        let title: Text = "Board"

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            ScreenContent(title: "Board", model: TableViewModel(section: TableViewSection(id: "all", cells: [])))
        }
    }

    /// A screen for everyone, with an action for users.
    private struct Wall: Screen {
        static let name = "wall"
        let visibility = Visibility.everyone
        let isStatic = true
        let callers: Callers

        var actions: [Action] {
            [
                Action("write", "Writes.") { context in callers.record(try context.user) }.access(.users),
                Action("look", "Looks.") { context in callers.record(context.caller.user ?? "anonymous") },
            ]
        }

        let title: Text = "Wall"

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            ScreenContent(title: "Wall", model: TableViewModel(section: TableViewSection(id: "all", cells: [])))
        }
    }

    private final class Callers: Sendable {
        private let recorded = Mutex<[String]>([])
        var all: [String] { recorded.withLock { $0 } }
        func record(_ name: String) { recorded.withLock { $0.append(name) } }
    }

    private let callers: Callers
    private let service: ScreenService

    init() async throws {
        callers = Callers()
        service = try await ScreenService(
            catalog: ScreenCatalog([Board(callers: callers), Wall(callers: callers)]), store: ServiceStoreInMemory(), logger: .silent
        )
    }

    private func view(_ name: String, _ caller: Caller) throws -> ScreenView {
        try service.catalog.view(of: name, parameters: [], locale: .english, caller: caller)
    }

    private func perform(_ action: String, on name: String, _ caller: Caller, key: String? = nil) async throws {
        // The view of `board` is requested for an editor, so that the access of the caller is checked only when the action is performed.
        let view = try view(name, name == "board" ? .user("e", claims: Self.editor) : caller)
        let request = ActionRequest(action: action, caller: caller, version: nil, input: .object([]), idempotencyKey: key)
        _ = try await service.perform(request, on: view)
    }

    @Test func aScreenRejectsCallersWithoutTheRequiredClaim() throws {
        #expect(throws: ViewFault.needsUser(screen: "board")) { try view("board", .anonymous) }
        #expect(throws: ViewFault.forbidden(screen: "board")) { try view("board", .user("a")) }
        let reader = Claims(.object([.init("role", .string("reader"))]))
        #expect(throws: ViewFault.forbidden(screen: "board")) { try view("board", .user("a", claims: reader)) }
        #expect(try view("board", .user("a", claims: Self.editor)) == view("board", .user("b", claims: Self.editor)))
    }

    @Test(arguments: [
        ("role", #""editor""#, true), ("role", #"["a","editor"]"#, true), ("role", #""editors""#, false), ("role", #""a editor""#, false),
        ("role", "null", false), ("role", #"{"editor":true}"#, false), ("role", #"[["editor"]]"#, false), ("scope", #""a editor b""#, true),
        ("scope", #""editors""#, false), ("role", "1", false), ("role", #""e\u0301ditor""#, false),
    ])
    func aClaimContainsATextIfItIsTheTextOrAListThatContainsTheText(_ name: String, _ value: String, _ says: Bool) throws {
        let claims = Claims(try JSONReader.read(Array("{\"\(name)\":\(value)}".utf8)))
        #expect(claims.contains("editor", in: name) == says)
        #expect(!claims.contains("editor", in: "other"))
    }

    @Test func anActionCanRequireADifferentClaimThanItsScreen() async throws {
        let editor = Caller.user("e", claims: Self.editor)
        try await perform("note", on: "board", editor)
        await #expect(throws: ActionFault.forbidden("close", screen: "board")) { try await perform("close", on: "board", editor) }
        let chief = Caller.user("c", claims: Claims(.object([.init("role", .string("chief"))])))
        try await perform("close", on: "board", chief)
        #expect(callers.all == ["e", "c"])
    }

    @Test func actionsOfAnInaccessibleScreenAreRejected() async throws {
        await #expect(throws: ViewFault.forbidden(screen: "board")) { try await perform("note", on: "board", .user("a")) }
        await #expect(throws: ViewFault.needsUser(screen: "board")) { try await perform("note", on: "board", .anonymous) }
        #expect(callers.all.isEmpty)
    }

    @Test func aHandlerOfAScreenForEveryoneReceivesTheCaller() async throws {
        try await perform("write", on: "wall", .user("a"))
        try await perform("look", on: "wall", .anonymous)
        await #expect(throws: ActionFault.needsUser("write", screen: "wall")) { try await perform("write", on: "wall", .anonymous) }
        #expect(callers.all == ["a", "anonymous"])
    }

    @Test func twoUsersCanUseTheSameIdempotencyKey() async throws {
        for user in ["a", "b", "a"] { try await perform("write", on: "wall", .user(user), key: "k") }
        #expect(callers.all == ["a", "b"])
    }

    @Test func theListOfScreensContainsOnlyAccessibleScreensAndActions() async throws {
        let list = { (caller: Caller) in String(decoding: try await service.listing(in: .english, for: caller).value.bytes, as: UTF8.self) }
        let (anonymous, user, editor) = (
            try await list(.anonymous), try await list(.user("a")), try await list(.user("e", claims: Self.editor))
        )
        #expect(!anonymous.contains("board") && !anonymous.contains("write") && anonymous.contains("look"))
        #expect(!user.contains("board") && user.contains("write"))
        #expect(editor.contains("board") && editor.contains("note") && !editor.contains("close"))
        #expect(try await list(.user("b")) == user)
        #expect(throws: ViewFault.unknownScreen("none", known: ["wall"])) { try view("none", .user("a")) }
        let fault = ActionFault.unknownAction("none", screen: "wall", known: ["look"])
        await #expect(throws: fault) { try await perform("none", on: "wall", .anonymous) }
    }

    @Test func aScreenComputedForEachUserCannotBeAccessibleToEveryone() {
        struct Own: Screen {
            static let name = "own"
            let visibility = Visibility.user
            let access = Access.everyone

            let title: Text = "Own"

            func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
                ScreenContent(title: "", model: TableViewModel(sections: []))
            }
        }
        #expect(throws: CatalogFaults(faults: [.invalidAccess(screen: "own")])) { try ScreenCatalog([Own()]) }
    }
}
