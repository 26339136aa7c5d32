import ScreenModel
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenService

@Suite("Revisions of a screen", .timeLimit(.minutes(1))) struct RevisionsTests {
    private static let rows = (1...8).map { Row(id: "\($0)", text: $0.isMultiple(of: 4) ? "🏔" : "text", number: Double($0)) }
    private static let list = List(title: "Rows", sections: [List.Group(id: "a", footer: Label("8 rows"), rows: rows)])

    private func text(_ document: Document?) throws -> String {
        try #require(document).text
    }

    @Test(arguments: Seeds.first(8)) func applyingChangesAfterAnAppUpdateResultsInTheSnapshotOfTheNewRevision(seed: UInt64) async throws {
        var lists = SeededLists(seed: seed, sections: 5, rowsAtOnce: 5)
        let service = try await LedgerService(lists.list)
        var app = try await LedgerApp(of: service)
        for revision in [nil, 2, 3] {
            app.revision = revision
            let before = app.held
            if let changeset = try await app.catchUp() { try expectOnlyWhatDiffers(changeset, before, app.held) }
            #expect(try await app.held == service.snapshot(revision))
            for _ in 0..<20 {
                service.page.write(lists.next())
                try await app.catchUp()
                #expect(try await app.held == service.snapshot(revision))
            }
        }
    }

    /// Checks that a changeset between two revisions updates only cells and sections that differ. The data must be the same in
    /// both documents, so that no cell or section moves.
    private func expectOnlyWhatDiffers(_ changeset: JSONValue, _ before: HeldDocument, _ after: HeldDocument) throws {
        let stages = changeset["stages"]?.elements ?? []
        let operations = { (verb: String) in stages.flatMap { $0[verb]?.elements ?? [] } }
        #expect(operations("updateCells").compactMap { $0["cell"] } == zip(before.cells, after.cells).filter { $0 != $1 }.map(\.1))
        let sections = zip(before.sections, after.sections).enumerated().filter { $1.0.views != $1.1.views }
        #expect(operations("updateSections").map { $0["at"]?.int } == sections.map(\.offset))
        #expect(stages.allSatisfy { $0["updateCells"] != nil || $0["updateSections"] != nil })
    }

    @Test func anAppUpdatedToANewRevisionReceivesOnlyTheCellsThatDiffer() async throws {
        let service = try await LedgerService(Self.list)
        var app = try await LedgerApp(of: service)
        let second = try #require(await app.catchUp(as: 2))["stages"]
        let expected = #"""
            [{"updateCells":[
              {"at":[0,3],"cell":{"id":"4","type":"mountain","height":4,"fallback":{"type":"row","text":"🏔","number":4}}},
              {"at":[0,7],"cell":{"id":"8","type":"mountain","height":8,"fallback":{"type":"row","text":"🏔","number":8}}}]}]
            """#
        #expect(try second == JSONReader.read(Array(expected.utf8)).sorted)
        // Revision 3 shows the number of rows in the footer. In this list, the footer of revision 2 has the same text, so both revisions
        // have the same content.
        let third = try #require(await app.catchUp(as: 3))
        #expect(third["stages"] == .array([]) && third["from"] == third["version"])
    }

    /// At first the app sends no revision. Later it is updated to revision 2, downgraded to revision 1, and updated to revision 3.
    @Test func aRequestWithAVersionOfAnotherRevisionReceivesAChangeset() async throws {
        let history = HistoryInMemory()
        let first = try await LedgerService(Self.list, over: history)
        var app = try await LedgerApp(of: first)
        await first.service.history.flush()
        let second = try await LedgerService(Self.list, over: history)
        app = app.moved(to: second)
        for revision in [2, 1, 3, nil] {
            #expect(try await app.catchUp(as: revision) != nil)
            #expect(try await app.held == second.snapshot(revision))
        }
    }

    @Test func eachFollowerReceivesTheChangesetOfItsRevisionAfterACommit() async throws {
        let service = try await LedgerService(Self.list)
        var apps: [LedgerApp] = []
        var followers: [Follower] = []
        for revision in [nil, 1, 2] {
            let app = try await LedgerApp(of: service, revision: revision)
            apps.append(app)
            let version = try await service.service.snapshot(of: service.view(revision)).value.version
            followers.append(try await Follower(service.service, service.view(revision), since: version))
        }
        #expect(service.service.followedViewCount == 2)
        let before = service.service.metrics.current.computations
        var list = Self.list
        list.sections[0].rows[1].text = "🏔"
        service.page.write(list)
        let documents = [
            try text(await followers[0].next()), try text(await followers[1].next()), try text(await followers[2].next()),
        ]
        #expect(documents[0] == documents[1] && documents[0].contains(#""cell":{"id":"2","type":"row","text":"🏔""#))
        #expect(documents[2].contains(#""cell":{"id":"2","type":"mountain""#))
        #expect(service.service.metrics.current.computations == before + 2)
        for index in apps.indices {
            var held = apps[index].held
            try held.apply(Array(documents[index].utf8))
            #expect(try await held == service.snapshot(apps[index].revision))
        }
    }

    @Test func aRequestWithoutARevisionReceivesTheViewOfTheOldestRevision() async throws {
        let service = try await LedgerService(Self.list)
        #expect(try service.view(nil) == service.view(1))
        #expect(try service.view(1) != service.view(2))
        let hashes = try [nil, 1, 2, 3].map { try service.view($0).hash(by: .fixed) }
        #expect(hashes[0] == hashes[1] && Set(hashes).count == 3)
    }

    @Test func theResponseToAnActionHasTheRevisionOfTheRequest() async throws {
        let service = try await LedgerService(Self.list)
        let version = try await service.service.snapshot(of: service.view(nil)).value.version
        let answer = try await service.service.perform(request(since: version), on: service.view(2))
        #expect(try JSONReader.read(answer.bytes)["from"] == .string(version))
        #expect(answer.text.contains(#""type":"mountain""#))
        #expect(service.page.recorded == [2])
    }

    @Test func aRetryAfterAnUpdateOfTheAppDoesNotRepeatTheAction() async throws {
        let service = try await LedgerService(Self.list)
        let first = try await service.service.perform(request(under: "k"), on: service.view(nil))
        let again = try await service.service.perform(request(under: "k"), on: service.view(2))
        #expect(service.page.recorded == [1])
        #expect(!first.text.contains("mountain") && again.text.contains("mountain"))
    }

    private func request(since version: String? = nil, under key: String? = nil) -> ActionRequest {
        ActionRequest(action: "record", caller: .user("u"), version: version, input: .object([]), idempotencyKey: key)
    }
}

extension LedgerApp {
    /// Updates the app to another revision and requests the changes.
    fileprivate mutating func catchUp(as revision: Int?) async throws -> JSONValue? {
        self.revision = revision
        return try await catchUp()
    }
}
