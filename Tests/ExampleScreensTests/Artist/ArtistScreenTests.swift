@testable import ExampleScreens
import ExampleRecords
import ScreenModel
import ScreenService
import Testing

struct ArtistScreenTests {
    @Test func itOpensWithTheArtist() async throws {
        try await withStore(ArtistTransaction.self) { store in
            let artist = ArtistScreen(store: store)
            let content = try await artist.content(for: .asking(artist))
            #expect(content.title == "Elin Fauvel")
            #expect(content.frame == Size(width: 375, height: 0))
            #expect(content.model.map(\.id) == ["artist", "albums", "tracks"])
            #expect(content.model[1].count == Examples.albums.count)
            #expect(content.model[1].supplementaryViews.count == 4)
            #expect(content.model[2].map(\.id).first == "track-timetables-1")
            #expect(content.model[2].count == 5)
        }
    }

    @Test func anAlbumIsShownUnderItsTitle() async throws {
        try await withStore(ArtistTransaction.self) { store in
            let artist = ArtistScreen(store: store)
            let parameters = ["album": "drift-ice", "width": "768"]
            let content = try await artist.content(for: .asking(artist, parameters))
            #expect(content.title == "Drift Ice")
            #expect(content.frame == Size(width: 768, height: 0))
            #expect(content.model.map(\.id) == ["album", "tracks"])
            #expect(content.model[0].map(\.id) == ["album-drift-ice"])
            #expect(content.model[1].map(\.id) == (1...6).map { "track-drift-ice-\($0)" })
        }
    }

    @Test func anUnknownAlbumIsTheClientsToMend() async throws {
        try await withStore(ArtistTransaction.self) { store in
            let artist = ArtistScreen(store: store)
            let known = Examples.albums.map(\.id)
            await #expect(throws: ArtistRecords.noAlbum("none", known: known, .english)) {
                try await artist.content(for: .asking(artist, ["album": "none"]))
            }
        }
    }

    @Test func anUnknownAlbumIsToldWhichOnesThereAre() {
        func error(_ known: [String], _ locale: ScreenLocale) -> ScreenError {
            ArtistRecords.noAlbum("x", known: known, locale)
        }
        func told(_ detail: String) -> ScreenError { .noSuchValue(parameter: "album", detail: detail) }
        #expect(error(["a", "b"], .english) == told("There is no album x. Known are a, b."))
        #expect(error(["a", "b"], .french) == told("L’album x n’existe pas. On connaît a, b."))
        #expect(error([], .english) == told("There is no album x."))
    }

    @Test func theWidthIsANumberOfPoints() {
        #expect(ArtistScreen.width.canonical("0768") == "768")
        for text in ["200", "2000"] { #expect(ArtistScreen.width.canonical(text) == text) }
        for text in ["199", "2001", "-375", "375.5", ""] { #expect(ArtistScreen.width.canonical(text) == nil) }
        #expect(ArtistScreen.width.defaultText == "375")
        #expect(ArtistScreen.album.defaultText == "")
    }

    @Test func itReadsTheArtistAlone() async throws {
        try await withStore(ArtistTransaction.self) { store in
            let topics = try await ArtistScreen(store: store).topics()
            #expect(topics == ["artist"])
        }
    }

    @Test(arguments: [[:], ["width": "768"]])
    func openingAnAlbumMovesItAndItsTracks(width: [String: String]) async throws {
        try await withService(ArtistTransaction.self, ExampleScreens.artist) { service in
            let album = width.merging(["album": "timetables"]) { $1 }
            let opening = try await service.changes(of: ArtistScreen.name, from: width, to: album)
            #expect(opening.verbs.contains("moveCells") && opening.verbs.contains("deleteSections"))
            #expect(opening.comingIDs == Set((2...7).map { "track-timetables-\($0)" }))
        }
    }

    @Test func onlyTheTracksOfAnAlbumAreNewOnItsPage() async throws {
        try await withService(ArtistTransaction.self, ExampleScreens.artist) { service in
            let changes = try await service.changes(of: ArtistScreen.name, from: [:], to: ["album": "low-water"])
            #expect(changes.comingIDs == Set((1...4).map { "track-low-water-\($0)" }))
        }
    }

    @Test func anAlbumThatIsNoLongerNewLosesItsBadge() async throws {
        try await withService(ArtistTransaction.self, ExampleScreens.artist) { service in
            let before = try await service.snapshot(of: ArtistScreen.name)
            try await service.store.write { store in
                var album = try #require(try store.albums(ofArtist: ArtistScreen.artist).first { $0.isNew && !$0.isExplicit })
                album.isNew = false
                try store.replaceAlbum(album)
            }
            let after = try await service.snapshot(of: ArtistScreen.name)
            let badge = #"{"kind":"badge","cell":"album-the-lamp-at-lock-nine""#
            #expect(String(decoding: before.bytes, as: UTF8.self).contains(badge))
            #expect(!String(decoding: after.bytes, as: UTF8.self).contains(badge))
        }
    }
}
