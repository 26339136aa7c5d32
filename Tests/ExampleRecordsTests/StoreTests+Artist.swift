import ExampleRecords
import TemporaryDatabase
import Testing

extension StoreTests {
    private static let artist = Artist(
        id: "ann", name: "Ann 🎻", genre: TranslatedText(english: "Folk", french: "Chanson"),
        biography: TranslatedText(english: "She\nsings.", french: "Elle chante.")
    )
    private static let late = Album(id: "a", artist: "ann", title: "Éclat", year: 2002, isNew: true, isExplicit: true)
    private static let early = Album(id: "b", artist: "ann", title: "", year: 2001)
    private static let track = Track(album: "a", number: 1, title: "Çà", seconds: 61, plays: 3)

    @Test(arguments: Engine<ArtistTransaction>.all)
    func anArtistIsReadWithAlbumsAndTracks(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let second = Track(album: "a", number: 2, title: "", seconds: 0, plays: 0)
            let other = Track(album: "b", number: 1, title: "", seconds: 0, plays: 0)
            try await store.write { store in
                try store.insertArtist(Self.artist)
                for album in [Self.late, Self.early] { try store.insertAlbum(album) }
                for track in [other, second, Self.track] { try store.insertTrack(track) }
            }
            #expect(try await store.read { try $0.artist("ann") } == Self.artist)
            #expect(try await store.read { try $0.albums(ofArtist: "ann") } == [Self.early, Self.late])
            #expect(try await store.read { try $0.tracks(ofArtist: "ann") } == [Self.track, second, other])
            #expect(announcements.commits == [["artist"]])
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func theExampleOfAnArtistIsThere(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let id = Examples.artist.id
            #expect(try await store.read { try $0.artist(id) } == Examples.artist)
            #expect(try await Set(store.read { try $0.albums(ofArtist: id) }) == Set(Examples.albums))
            #expect(try await Set(store.read { try $0.tracks(ofArtist: id) }) == Set(Examples.tracks))
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func anUnknownArtistHasNothing(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            for id in ["none", "elin-fauvel\0"] {
                #expect(try await store.read { try $0.artist(id) } == nil)
                #expect(try await store.read { try $0.albums(ofArtist: id) } == [])
                #expect(try await store.read { try $0.tracks(ofArtist: id) } == [])
            }
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func anAlbumThatIsReplacedKeepsItsTracksAndOneThatIsDeletedDoesNot(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { store in
                try store.insertArtist(Self.artist)
                try store.insertAlbum(Self.late)
                try store.insertTrack(Self.track)
            }
            var album = Self.late
            (album.title, album.year, album.isNew, album.isExplicit) = ("Other", 1999, false, false)
            try await store.write { [album] in try $0.replaceAlbum(album) }
            #expect(try await store.read { try $0.albums(ofArtist: "ann") } == [album])
            #expect(try await store.read { try $0.tracks(ofArtist: "ann") } == [Self.track])
            #expect(try await store.write { try $0.deleteAlbum("a") })
            try await store.write { try $0.insertAlbum(Self.late) }
            #expect(try await store.read { try $0.tracks(ofArtist: "ann") } == [])
            #expect(announcements.commits == [["artist"], ["artist"], ["artist"], ["artist"]])
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func albumWritesThatChangeNothingAnnounceNothing(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.write { try !$0.deleteAlbum("none") })
            try await store.write { try $0.replaceAlbum(Examples.albums[0]) }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<ArtistTransaction>.all)
    func storedRecordsAreNotInsertedAgainAndMissingOnesNotReferredTo(engine: Engine<ArtistTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let (album, track) = (Examples.albums[0], Examples.tracks[0])
            var stray = album
            stray.artist = "none"
            await #expect(throws: ArtistStoreError.artistExists(id: Examples.artist.id)) {
                try await store.write { try $0.insertArtist(Examples.artist) }
            }
            await #expect(throws: ArtistStoreError.albumExists(id: album.id)) {
                try await store.write { try $0.insertAlbum(album) }
            }
            await #expect(throws: ArtistStoreError.noArtist(id: "ann")) {
                try await store.write { try $0.insertAlbum(Self.late) }
            }
            await #expect(throws: ArtistStoreError.noAlbum(id: "a")) {
                try await store.write { try $0.replaceAlbum(Self.late) }
            }
            await #expect(throws: ArtistStoreError.noArtist(id: "none")) {
                try await store.write { [stray] in try $0.replaceAlbum(stray) }
            }
            await #expect(throws: ArtistStoreError.trackExists(album: track.album, number: track.number)) {
                try await store.write { try $0.insertTrack(track) }
            }
            await #expect(throws: ArtistStoreError.noAlbum(id: "a")) {
                try await store.write { try $0.insertTrack(Self.track) }
            }
            #expect(announcements.commits == [])
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
