@testable import ExampleScreens
import ExampleRecords
import ScreenModel
import ScreenService
import Testing

struct MountainsTests {
    @Test func itOpensWithAllMountainsByName() async throws {
        try await withStore(MountainsTransaction.self) { store in
            let mountains = Mountains(store: store)
            let content = try await mountains.content(for: .asking(mountains))
            #expect(content.title == "Mountains")
            #expect(content.frame == nil)
            #expect(content.model.map(\.id) == ["mountains"])
            #expect(content.model[0].map(\.id).prefix(3) == ["aconcagua", "agri-dagi", "aiguille-du-midi"])
            #expect(content.model[0].count == Examples.mountains.count)
        }
    }

    @Test func theHighestComesFirst() async throws {
        try await withStore(MountainsTransaction.self) { store in
            let mountains = Mountains(store: store)
            let model = try await mountains.content(for: .asking(mountains, ["sort": "height"])).model
            #expect(model[0].map(\.id).prefix(3) == ["everest", "k2", "kangchenjunga"])
            #expect(model[0].map(\.mountain.metres) == model[0].map(\.mountain.metres).sorted(by: >))
        }
    }

    @Test(arguments: [("ö", "o"), ("MÖNCH", "monch"), ("łys", "lys"), ("snæ", "snae"), ("d’ossau", "d'ossau")])
    func accentsOfTheQueryDoNotCount(query: String, plain: String) async throws {
        try await withStore(MountainsTransaction.self) { store in
            let mountains = Mountains(store: store)
            let found = try await mountains.content(for: .asking(mountains, ["q": query])).model
            let plainly = try await mountains.content(for: .asking(mountains, ["q": plain])).model
            #expect(transcript(found) == transcript(plainly))
            #expect(!found[0].isEmpty)
        }
    }

    @Test func itsParametersAreATextAndAnOrder() {
        #expect(Mountains.query.canonical("Mönch") == "Mönch")
        #expect(Mountains.query.canonical(String(repeating: "a", count: 101)) == nil)
        #expect(Mountains.query.defaultText == "")
        #expect(Mountains.sort.canonical("height") == "height")
        #expect(Mountains.sort.canonical("Height") == nil)
        #expect(Mountains.sort.defaultText == "name")
    }

    @Test func itReadsTheMountainsAlone() async throws {
        try await withStore(MountainsTransaction.self) { store in
            let topics = try await Mountains(store: store).topics(["q": "a"])
            #expect(topics == ["mountains"])
        }
    }

    @Test func eachLetterIsAChangesetThatOnlyDeletes() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            let queries = ["", "m", "mo", "mon", "mont", "mont ", "mont o"]
            for (held, asked) in zip(queries, queries.dropFirst()) {
                let changes = try await service.changes(of: Mountains.name, from: ["q": held], to: ["q": asked])
                #expect(changes.verbs == (asked == "mont " ? [] : ["deleteCells", "updateSections"]), "\(asked)")
            }
        }
    }

    @Test func eachLetterBackIsAChangesetThatOnlyInserts() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            let queries = ["mont", "mon", "mo", "m", ""]
            for (held, asked) in zip(queries, queries.dropFirst()) {
                let changes = try await service.changes(of: Mountains.name, from: ["q": held], to: ["q": asked])
                #expect(changes.verbs == ["insertCells", "updateSections"], "\(asked)")
                #expect(!changes.comingIDs.contains("mont-blanc"))
            }
        }
    }

    @Test func anotherOrderMovesCells() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            let changes = try await service.changes(
                of: Mountains.name, from: ["q": "mo"], to: ["q": "mo", "sort": "height"]
            )
            #expect(changes.verbs == ["moveCells"])
        }
    }

    @Test func aMountainThatIsDeletedLeavesTheLists() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            _ = try await service.snapshot(of: Mountains.name, ["q": "mont"])
            try await service.store.write { _ = try $0.deleteMountain("mont-blanc") }
            let text = try await String(decoding: service.snapshot(of: Mountains.name, ["q": "mont"]).bytes, as: UTF8.self)
            #expect(!text.contains("mont-blanc"))
        }
    }
}
