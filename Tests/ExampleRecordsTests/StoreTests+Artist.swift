import TemporaryDatabase
import Testing

@testable import ExampleRecords

extension StoreTests {
    @Test(arguments: Engine<ArtistTransaction>.all)
    func anArtistIsReadWithAlbumsAndTracks(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let artist = Artist(
                id: "ann", name: "Ann 🎻", genre: TranslatedText(english: "Folk", french: "Chanson"),
                biography: TranslatedText(english: "She\nsings.", french: "Elle chante.")
            )
            let late = Album(id: "a", artist: "ann", title: "Éclat", year: 2002, isNew: true, isExplicit: true)
            let early = Album(id: "b", artist: "ann", title: "", year: 2001)
            let first = Track(album: "a", number: 1, title: "Çà", seconds: 61, plays: 3)
            let second = Track(album: "a", number: 2, title: "", seconds: 0, plays: 0)
            let other = Track(album: "b", number: 1, title: "", seconds: 0, plays: 0)
            try await store.write { store in
                try store.insertArtist(artist)
                for album in [late, early] { try store.insertAlbum(album) }
                for track in [other, second, first] { try store.insertTrack(track) }
            }
            #expect(try await store.read { try $0.artist("ann") } == artist)
            #expect(try await store.read { try $0.albums(ofArtist: "ann") } == [early, late])
            #expect(try await store.read { try $0.tracks(ofArtist: "ann") } == [first, second, other])
            #expect(announcements.commits == [["artist"]])
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func theExampleArtistIsStored(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let id = try Examples.artist.id
            #expect(try await store.read { try $0.artist(id) } == Examples.artist)
            #expect(try await Set(store.read { try $0.albums(ofArtist: id) }) == Set(Examples.albums))
            #expect(try await Set(store.read { try $0.tracks(ofArtist: id) }) == Set(Examples.tracks))
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func anUnknownArtistHasNoAlbumsOrTracks(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            for id in ["none", "elin-fauvel\0"] {
                #expect(try await store.read { try $0.artist(id) } == nil)
                #expect(try await store.read { try $0.albums(ofArtist: id) } == [])
                #expect(try await store.read { try $0.tracks(ofArtist: id) } == [])
            }
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func readingAnArtistRecordsOneTopic(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            #expect(try await store.topics { _ = try $0.artist("ann") } == ["artist"])
            #expect(try await store.topics { _ = try $0.albums(ofArtist: "ann") } == ["artist"])
            #expect(try await store.topics { _ = try $0.tracks(ofArtist: "ann") } == ["artist"])
        }
    }
}
