import ScreenModel
import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct ArtistScreenTests {
    @Test func withoutParametersTheScreenShowsTheArtist() async throws {
        try await withStore(ArtistTransaction.self) { store in
            let artist = ArtistScreen(store: store)
            let content = try await artist.content(for: .asking(artist))
            #expect(content.title == "Elin Fauvel")
            #expect(content.frame == Size(width: 375, height: 0))
            #expect(content.model.map(\.id) == ["artist", "albums", "tracks"])
            #expect(try content.model[1].count == Examples.albums.count)
            #expect(content.model[1].supplementaryViews.count == 4)
            #expect(content.model[2].map(\.id).first == "track-timetables-1")
            #expect(content.model[2].count == 5)
        }
    }

    @Test func theAlbumParameterSelectsTheShownAlbum() async throws {
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

    @Test func aRequestForAnUnknownAlbumFails() async throws {
        try await withStore(ArtistTransaction.self) { store in
            let artist = ArtistScreen(store: store)
            let known = try Examples.albums.map(\.id)
            await #expect(throws: ArtistRecords.noAlbum("none", known: known, .english)) {
                try await artist.content(for: .asking(artist, ["album": "none"]))
            }
        }
    }

    @Test func theErrorForAnUnknownAlbumListsTheExistingAlbums() {
        func error(_ known: [String], _ locale: ScreenLocale) -> ScreenError {
            ArtistRecords.noAlbum("x", known: known, locale)
        }
        func expected(_ detail: String) -> ScreenError { .noSuchValue(parameter: "album", detail: detail) }
        #expect(error(["a", "b"], .english) == expected("There is no album x. Known are a, b."))
        #expect(error(["a", "b"], .french) == expected("L’album x n’existe pas. On connaît a, b."))
        #expect(error([], .english) == expected("There is no album x."))
    }

    @Test func theWidthParameterMustBeFrom200To2000Points() {
        #expect(ArtistScreen.width.canonical("0768") == "768")
        for text in ["200", "2000"] { #expect(ArtistScreen.width.canonical(text) == text) }
        for text in ["199", "2001", "-375", "375.5", ""] { #expect(ArtistScreen.width.canonical(text) == nil) }
        #expect(ArtistScreen.width.defaultText == "375")
        #expect(ArtistScreen.album.defaultText == "")
    }

    @Test(arguments: [[:], ["width": "768"]])
    func openingAnAlbumMovesItsCellAndKeepsTracksThatAreAlreadyShown(width: [String: String]) async throws {
        try await withService(ArtistTransaction.self, ExampleScreens.artist) { service in
            let album = width.merging(["album": "timetables"]) { $1 }
            let opening = try await service.changes(of: ArtistScreen.name, from: width, to: album)
            #expect(opening.operations.contains("moveCells") && opening.operations.contains("deleteSections"))
            #expect(opening.insertedIDs == Set((2...7).map { "track-timetables-\($0)" }))
        }
    }

    @Test func openingAnAlbumInsertsOnlyTheTracksOfTheAlbum() async throws {
        try await withService(ArtistTransaction.self, ExampleScreens.artist) { service in
            let changes = try await service.changes(of: ArtistScreen.name, from: [:], to: ["album": "low-water"])
            #expect(changes.insertedIDs == Set((1...4).map { "track-low-water-\($0)" }))
        }
    }

    @Test func aNewAlbumIsShownWithABadge() async throws {
        try await withService(ArtistTransaction.self, ExampleScreens.artist) { service in
            let before = try await service.snapshot(of: ArtistScreen.name)
            let album = Album(id: "lock-ten", artist: ArtistScreen.artist, title: "Lock Ten", year: 2027, isNew: true)
            try await service.store.write { try $0.insertAlbum(album) }
            let after = try await service.snapshot(of: ArtistScreen.name)
            let badge = #"{"kind":"badge","cell":"album-lock-ten""#
            #expect(!String(decoding: before.bytes, as: UTF8.self).contains(badge))
            #expect(String(decoding: after.bytes, as: UTF8.self).contains(badge))
        }
    }
}
