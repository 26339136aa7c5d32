import Foundation
import RelistTesting
import Synchronization
import Testing

/// A screen whose cells are letters. A test sets the sections and their letters.
private struct Letters: Screen {
    static let name = "letters"
    static let revisions = 1...2
    static let first = Parameter.integer("first", in: 1...9, default: 9, "How many to show.")

    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [first]
    let shelf: Shelf

    let title = Text("Letters", fr: "Lettres")

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Heading, Letter>> {
        let sections = shelf.sections
        return ScreenContent(
            title: title.in(request.locale),
            model: TableViewModel(entities: sections) { section in
                TableViewSection(id: section.id, header: Heading(text: section.heading)) {
                    for letter in section.letters.prefix(request[Self.first]) { request.revision == 1 ? letter : letter.twiceAsLarge }
                }
            }
        )
    }

    var actions: [Action] {
        [
            Action("clear", "Takes all away.", Field.text("reason", "Why", limit: 9)) { _, _ in shelf.set([]) },
            Action("look", "Changes nothing.") { _ in },
            Action("sign", "Adds the name of the user.") { context in
                shelf.set([Shelf.Section(id: "one", letters: [Letter(id: try context.user)])])
            }.access(.users(with: "role", "editor")),
        ]
    }
}

private struct Heading: ViewContent, Equatable {
    let text: String

    static func fields(_ field: inout some FieldVisitor<Self>) { field("text", \.text) }
}

private struct Letter: CellContent, Equatable {
    let id: String
    var size = 1

    var twiceAsLarge: Letter { Letter(id: id, size: size * 2) }

    static func fields(_ field: inout some FieldVisitor<Self>) { field("points", \.size) }
}

/// A collection with a cell that has a size and a badge.
private struct Tiles: Screen {
    static let name = "tiles"
    let title: Text = "Tiles"
    let visibility = Visibility.everyone
    let isStatic = true

    func content(for request: ScreenRequest) async throws -> ScreenContent<CollectionViewModel<Heading, Tile>> {
        let badge = SupplementaryViewSectionKey(kind: "badge", item: 0)
        let section = CollectionViewSection(id: "tiles", supplementaryViews: [badge: Heading(text: "New")], cells: [Tile(id: "a")])
        return ScreenContent(title: "Tiles", frame: Size(width: 100, height: 0), model: CollectionViewModel(section: section))
    }
}

private struct Tile: CellContent, Sized {
    let id: String

    func preferredSize(in frame: Size) -> Size {
        Size(width: (frame.width ?? 0) / 2, height: 20)
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private final class Shelf: Sendable {
    struct Section: Sendable {
        let id: String
        var heading = "a heading"
        let letters: [Letter]
    }

    private static let topic = Topic("letters")
    private let kept = Mutex<[Section]>([])
    let store = ServiceStoreInMemory()

    var sections: [Section] {
        store.topics.recorder?.record(Self.topic)
        return kept.withLock { $0 }
    }

    func set(_ sections: [Section]) {
        kept.withLock { $0 = sections }
        store.topics.announce([Self.topic])
    }
}

@Suite("A test client") struct TestClientTests {
    private let shelf = Shelf()

    private func client(user: String? = "demo") async throws -> TestClient {
        try await TestClient(screens: [Letters(shelf: shelf)], store: shelf.store, languages: [.english, .french], user: user)
    }

    private func section(_ id: String, _ letters: String, heading: String = "a heading") -> Shelf.Section {
        Shelf.Section(id: id, heading: heading, letters: letters.map { Letter(id: String($0)) })
    }

    @Test func aScreenOfATestClientHasTheContentOfTheSnapshot() async throws {
        shelf.set([section("one", "abc"), section("two", "d")])
        let screen = try await client().screen("letters", ["first": "2"], in: .french)
        #expect(screen.title == "Lettres")
        #expect(screen.sections.map(\.id) == ["one", "two"])
        #expect(screen.sections[0].header?["text"] == "a heading" && screen.sections[0].footer == nil)
        #expect(screen.cells.map(\.id) == ["a", "b", "d"])
        #expect(screen.cell("a")?.type == "letter" && screen.cell("a")?.points == 1)
        #expect(screen.cell("c") == nil && screen.cell("a")?.other == nil)
    }

    @Test func aChangeContainsTheIDsOfInsertedDeletedMovedAndUpdatedCells() async throws {
        let client = try await client()
        shelf.set([section("one", "abc"), section("two", "de"), section("three", "f")])
        let before = try await client.screen("letters")
        var last = Letter(id: "e")
        last.size = 2
        shelf.set([
            section("three", "f"), section("one", "cabx", heading: "another"), section("four", "d"),
            Shelf.Section(id: "five", letters: [last]),
        ])
        let change = try await client.change(of: before)
        #expect(change.inserted == ["x"] && change.deleted == [])
        #expect(change.moved.sorted() == ["c", "d", "e"])
        #expect(change.updated == ["e"])
        #expect(change.insertedSections.sorted() == ["five", "four"] && change.deletedSections == ["two"])
        #expect(change.movedSections.count == 1 && change.updatedSections == ["one"])
        #expect(change.after.cells.map(\.id) == ["f", "c", "a", "b", "x", "d", "e"])
    }

    @Test func aScreenHasTheRequestedRevision() async throws {
        shelf.set([section("one", "a")])
        let client = try await client()
        #expect(try await client.screen("letters").cell("a")?.points == 1)
        let screen = try await client.screen("letters", revision: 2)
        #expect(screen.cell("a")?.points == 2)
        shelf.set([section("one", "ab")])
        #expect(try await client.change(of: screen).after.cell("b")?.points == 2)
        await #expect(throws: ViewFault.self) { try await client.screen("letters", revision: 3) }
    }

    @Test func anUnchangedScreenHasAnEmptyChange() async throws {
        shelf.set([section("one", "abc")])
        let client = try await client()
        let before = try await client.screen("letters")
        let change = try await client.change(of: before)
        #expect(change.after.version == before.version)
        #expect([change.inserted, change.deleted, change.moved, change.updated] == [[], [], [], []])
    }

    @Test func performingAnActionReturnsTheChange() async throws {
        shelf.set([section("one", "ab")])
        let client = try await client()
        let change = try await client.perform("clear", ["reason": "enough"], on: client.screen("letters"))
        #expect(change.deleted == ["a", "b"] && change.deletedSections == ["one"])
        await #expect(throws: InputFaults.self) { try await client.perform("clear", ["reason": 1], on: change.after) }
        await #expect(throws: ActionFault.unknownAction("nothing", screen: "letters", known: ["clear", "look"])) {
            try await client.perform("nothing", on: change.after)
        }
    }

    @Test func anActionThatAnnouncesNothingItsScreenReadFailsATest() async throws {
        shelf.set([section("one", "a")])
        let client = try await client()
        let screen = try await client.screen("letters")
        let error = try await #require(throws: NothingChanged.self) { try await client.perform("look", on: screen) }
        #expect(error.announced == [] && error.reads == [Topic("letters")])
        #expect(try await client.perform("look", on: screen, mustChange: false).updated == [])
    }

    @Test func anotherCallerOfTheSameScreensIsSignedIn() async throws {
        shelf.set([section("one", "a")])
        let client = try await client(user: "ada")
        let grace = client.signedIn(as: "grace", claims: Claims(["role": "editor"]))
        #expect(try await grace.perform("sign", on: client.screen("letters")).inserted == ["grace"])
        await #expect(throws: ActionFault.self) { try await client.perform("sign", on: client.screen("letters")) }
    }

    @Test func aFollowedScreenReturnsTheChangeOfEachCommit() async throws {
        shelf.set([section("one", "a")])
        let client = try await client()
        let followed = try await client.follow(client.screen("letters"))
        shelf.set([section("one", "ab")])
        #expect(try await followed.next().inserted == ["b"])
        let next = Task { try await followed.next() }
        shelf.set([section("one", "b")])
        #expect(try await next.value.deleted == ["a"])
        #expect(await followed.screen.cells.map(\.id) == ["b"])
    }

    @Test func waitingForAFollowedScreenThatDoesNotChangeNamesWhatWasAnnouncedAndRead() async throws {
        let client = try await client()
        let followed = try await client.follow(client.screen("letters"))
        shelf.store.topics.announce([Topic("elsewhere")])
        let error = await #expect(throws: ScreenUnchanged.self) { try await followed.next(within: .zero) }
        #expect(error?.announced == [Topic("elsewhere")] && error?.reads.isEmpty == false)
        #expect(error?.description.contains("announce the topic that the screen reads") == true)
        shelf.set([])
        let same = await #expect(throws: ScreenUnchanged.self) { try await followed.next(within: .zero) }
        #expect(same?.description.contains("its content is the same as before") == true)
    }

    @Test func aFollowedScreenReportsOnlyTheAnnouncementsSinceItsLastChange() async throws {
        shelf.set([section("one", "a")])
        let client = try await client()
        let followed = try await client.follow(client.screen("letters"))
        shelf.set([section("one", "ab")])
        _ = try await followed.next()
        let error = await #expect(throws: ScreenUnchanged.self) { try await followed.next(within: .zero) }
        #expect(error?.announced == [] && error?.description.contains("Announced topics: nothing.") == true)
    }

    @Test func aChangeIsReturnedEvenAtTheEndOfTheTime() async throws {
        shelf.set([section("one", "a")])
        let client = try await client()
        let followed = try await client.follow(client.screen("letters"))
        shelf.set([section("one", "ab")])
        #expect(try await followed.next(within: .zero).inserted == ["b"])
    }

    @Test func aRequestIsAnsweredAsByAServer() async throws {
        shelf.set([section("one", "ab")])
        let client = try await client()
        let screen = try await client.screen("letters")
        let snapshot = try await client.request("/screens/letters")
        #expect(snapshot.status == 200 && snapshot.headers["ETag"] == "\"\(screen.version)\"")
        #expect(try snapshot.json["kind"] == "snapshot")
        let changes = try await client.request("/screens/letters/changes", method: "POST", body: #"{"version": "\#(screen.version)"}"#)
        #expect(try changes.json["stages"] == .array([]))
        let refused = try await client.request("/screens/letters/actions/clear", method: "POST", body: #"{"input": {"reason": 1}}"#)
        #expect(refused.status == 400 && refused.problem?.errors.map(\.place) == [.pointer("/input/reason")])
        #expect(try await client.signedIn(as: nil).request("/screens/letters").status == 401)
    }

    @Test func aShownCollectionHasSizesAndSupplementaryViews() async throws {
        let screen = try await TestClient(screens: [Tiles()]).screen("tiles")
        #expect(screen.cell("a")?.size == Size(width: 50, height: 20))
        let badge = try #require(screen.sections[0].supplementary.first)
        #expect(badge.kind == "badge" && badge.cell == "a" && badge.content["text"] == "New")
    }

    @Test func changesAndScreensAreDescribedByTheirLines() async throws {
        shelf.set([section("one", "ab"), section("two", "c")])
        let client = try await client()
        let before = try await client.screen("letters")
        #expect(
            before.description == """
                Letters
                section one
                  header {"type":"heading","text":"a heading"}
                  cell {"id":"a","type":"letter","points":1}
                  cell {"id":"b","type":"letter","points":1}
                section two
                  header {"type":"heading","text":"a heading"}
                  cell {"id":"c","type":"letter","points":1}
                """)
        shelf.set([Shelf.Section(id: "one", letters: [Letter(id: "d"), Letter(id: "a", size: 3)])])
        #expect(
            try await client.change(of: before).description == """
                - section two
                - {"id":"b","type":"letter","points":1}
                - {"id":"c","type":"letter","points":1}
                + {"id":"d","type":"letter","points":1}
                ~ {"id":"a","type":"letter","points":1} → {"id":"a","type":"letter","points":3}
                """)
        #expect(try await client.change(of: client.screen("letters")).description == "no change")
    }

    @Test func repeatedIDsFailATest() async throws {
        shelf.set([section("one", "aba"), section("one", "c")])
        let error = try await #require(throws: RepeatedIDs.self) { try await client().screen("letters") }
        #expect(error.ids == ["one", "a"])
    }

    @Test func aScreenThatReadsNothingTrackedFailsATest() async throws {
        struct Constant: Screen {
            static let name = "constant"
            let title: Text = "Constant"
            let visibility = Visibility.everyone
            let isStatic: Bool

            func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Letter>> {
                ScreenContent(title: "Constant", model: TableViewModel(cells: [Letter(id: "a")]))
            }
        }
        let client = try await TestClient(screens: [Constant(isStatic: false)])
        let error = try await #require(throws: ContentFaults.self) { try await client.screen("constant") }
        #expect(error.faults == [.untrackedContent])
        #expect(try await TestClient(screens: [Constant(isStatic: true)]).screen("constant").cells.count == 1)
    }

    @Test func aTestSetsTheTimeOfItsScreens() async throws {
        struct Waiting: Screen {
            static let name = "waiting"
            let title: Text = "Waiting"
            let visibility = Visibility.everyone

            func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Letter>> {
                let minutes = Int(request.now(every: .minutes(1)).timeIntervalSince1970) / 60
                return ScreenContent(title: "Waiting", model: TableViewModel(cells: [Letter(id: "a", size: minutes)]))
            }
        }
        let clock = ManualClock(at: 60)
        let client = try await TestClient(screens: [Waiting()], clock: clock)
        let before = try await client.screen("waiting")
        clock.advance(by: .seconds(119))
        let change = try await client.change(of: before)
        #expect(change.updated == ["a"] && change.after.cell("a")?.points == 2)
    }

    @Test func aTestReachesTheRoutesOfATeam() async throws {
        let route = Route(.get, "/receipts/{number}", "A receipt.") { request in
            guard request["number"] == "1" else { throw Problem.notFound("There is no such receipt.") }
            return .text("1 ramen")
        }
        let client = try await TestClient(screens: [], routes: [route])
        #expect(try await client.request("/receipts/1").text == "1 ramen")
        let missing = try await client.request("/receipts/2")
        #expect(missing.status == 404 && missing.problem?.detail == "There is no such receipt.")
    }

    @Test func anAnonymousCallerCannotSeeScreensOfUsers() async throws {
        await #expect(throws: ViewFault.needsUser(screen: "letters")) { try await client(user: nil).screen("letters") }
    }

    @Test func eachTemporaryStoreIsEmpty() async throws {
        let tables = [SQLiteMigration("notes", "CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY) STRICT;")]
        for _ in 0..<2 {
            try await withTemporaryStore(tables: tables) { store in
                let count = try await store.write { transaction in
                    try transaction.write("INSERT INTO note VALUES ('one')")
                }
                #expect(count == 1)
            }
        }
    }
}
