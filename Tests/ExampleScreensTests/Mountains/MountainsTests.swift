import ScreenModel
import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct MountainsTests {
    @Test func withoutParametersTheScreenShowsAllMountainsSortedByName() async throws {
        try await withStore(MountainsTransaction.self) { store in
            let mountains = Mountains(store: store)
            let content = try await mountains.content(for: .asking(mountains))
            #expect(content.title == "Mountains")
            #expect(content.frame == nil)
            #expect(content.model.map(\.id) == ["mountains"])
            #expect(content.model[0].map(\.id).prefix(3) == ["aconcagua", "agri-dagi", "aiguille-du-midi"])
            #expect(try content.model[0].count == Examples.mountains.count)
        }
    }

    @Test func sortingByHeightShowsTheHighestMountainFirst() async throws {
        try await withStore(MountainsTransaction.self) { store in
            let mountains = Mountains(store: store)
            let model = try await mountains.content(for: .asking(mountains, ["sort": "height"])).model
            #expect(model[0].map(\.id).prefix(3) == ["everest", "k2", "kangchenjunga"])
            #expect(model[0].map(\.mountain.metres) == model[0].map(\.mountain.metres).sorted(by: >))
        }
    }

    @Test func typingALetterDeletesCellsAndRemovingTheLetterInsertsTheCellsAgain() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            let queries = ["", "m", "mo", "mon", "mont", "mont o"]
            for (short, long) in zip(queries, queries.dropFirst()) {
                let typed = try await service.changes(of: Mountains.name, from: ["q": short], to: ["q": long])
                #expect(typed.operations == ["deleteCells", "updateSections"], "\(long)")
                let removed = try await service.changes(of: Mountains.name, from: ["q": long], to: ["q": short])
                #expect(removed.operations == ["insertCells", "updateSections"], "\(long)")
            }
            #expect(try await service.changes(of: Mountains.name, from: ["q": "mont"], to: ["q": "mont "]).operations == [])
        }
    }

    @Test func changingTheSortOrderMovesCells() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            let changes = try await service.changes(
                of: Mountains.name, from: ["q": "mo"], to: ["q": "mo", "sort": "height"]
            )
            #expect(changes.operations == ["moveCells"])
        }
    }

    @Test func anInsertedMountainAppearsInAViewThatWasAlreadyRequested() async throws {
        try await withService(MountainsTransaction.self, ExampleScreens.mountains) { service in
            _ = try await service.snapshot(of: Mountains.name, ["q": "mont"])
            let mountain = Mountain(id: "mont-ventoux", name: "Mont Ventoux", metres: 1910, range: nil, countries: ["FR"])
            try await service.store.write { try $0.insertMountain(mountain) }
            let text = try await String(decoding: service.snapshot(of: Mountains.name, ["q": "mont"]).bytes, as: UTF8.self)
            #expect(text.contains("mont-ventoux"))
        }
    }
}
