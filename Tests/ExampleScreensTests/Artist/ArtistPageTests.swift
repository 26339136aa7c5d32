import ScreenModel
import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct ArtistPageTests {
    @Test func thePageOfTheArtistShowsAlbumsAndPopularTracks() {
        #expect(
            transcript(page().artist(), in: Size(width: 375, height: 0)) == [
                "section artist",
                "artist artist name=Ann genre=Folk detail=3 albums · 4 tracks 375×160",
                "biography biography text=She sings. 375×187.5",
                "section albums",
                "header section title=Albums 375×44",
                "album-c album title=C year=2003 182×230 → artist album=c",
                "album-b album title=B year=2002 182×230 → artist album=b",
                "album-a album title=A year=2001 182×230 → artist album=a",
                "badge of album-c badge text=New · Explicit marks=newexplicit",
                "badge of album-b badge text=New marks=new",
                "section tracks",
                "header section title=Popular tracks 375×44",
                "track-b-1 track title=Low album=B number=1 duration=3:42 seconds=222 375×120 → artist album=b",
                "track-a-1 track title=One album=A number=1 duration=0:09 seconds=9 375×120 → artist album=a",
                "track-a-2 track title=Two album=A number=2 duration=10:00 seconds=600 375×120 → artist album=a",
                "track-b-2 track title=High album=B number=2 duration=1:01 seconds=61 375×120 → artist album=b",
            ]
        )
    }

    @Test func thePageOfAnAlbumShowsItsTracks() {
        #expect(
            transcript(page(album: "b", width: 320).album(Self.albums[1]), in: Size(width: 320, height: 0)) == [
                "section album",
                "header back title=Ann 320×44 → artist width=320",
                "album-b album title=B year=2002 155×203 → artist album=b width=320",
                "badge of album-b badge text=New marks=new",
                "section tracks",
                "header section title=2 tracks · 4:43 320×44",
                "track-b-1 track title=Low album=B number=1 duration=3:42 seconds=222 320×120 → artist album=b width=320",
                "track-b-2 track title=High album=B number=2 duration=1:01 seconds=61 320×120 → artist album=b width=320",
            ]
        )
    }

    @Test func theTextsOfTheArtistPageAreTranslatedIntoFrench() {
        let lines = transcript(page(in: .french).artist(), in: nil)
        for line in [
            "artist artist name=Ann genre=Chanson detail=3 albums · 4 titres", "biography biography text=Elle chante.",
            "header section title=Titres populaires", "badge of album-c badge text=Nouveau · Explicite marks=newexplicit",
            "track-b-1 track title=Low album=B number=1 duration=3:42 seconds=222 → artist album=b",
        ] {
            #expect(lines.contains(line))
        }
    }

    @Test(arguments: [(320, 160.0, 155.0), (375, 187.5, 182.0), (768, 384.0, 145.0)])
    func theSizesOfCellsDependOnTheWidthOfTheList(width: Int, biography: Double, album: Double) {
        let frame = Size(width: Double(width), height: 0)
        let sizes = Dictionary(
            uniqueKeysWithValues: page(width: width).artist().joined().map { ($0.reuseIdentifier + $0.id, $0.size(in: frame)) }
        )
        #expect(sizes["artistartist"] == Size(width: Double(width), height: 160))
        #expect(sizes["biographybiography"] == Size(width: Double(width), height: biography))
        #expect(sizes["albumalbum-a"] == Size(width: album, height: album + 48))
        #expect(sizes["tracktrack-a-1"] == Size(width: Double(width), height: 120))
    }

    @Test func extremeTrackDurationsDoNotOverflow() {
        let texts = ArtistTexts(locale: .english)
        #expect(texts.duration(.min) == "0:00" && texts.duration(.max).hasSuffix(":07"))
        let tracks = [Int.max, .max].map { Track(album: "a", number: 1, title: "Long", seconds: $0, plays: 0) }
        #expect(texts.contents(of: tracks) == "2 tracks · \(texts.duration(.max))")
    }

    @Test func onlyAlbumsAndTracksAreSelectable() {
        let page = page(album: "b")
        for model in [page.artist(), page.album(Self.albums[1])] {
            for cell in model.joined() {
                #expect((cell.selection != nil) == ["album", "track"].contains(cell.reuseIdentifier), "\(cell.id)")
            }
        }
    }

    @Test func theFivePopularTracksAreOrderedByNumberIfTheirPlaysAreEqual() {
        let tracks = (1...9).map { Track(album: "a", number: $0, title: "", seconds: 1, plays: 5) }
        let records = ArtistRecords(artist: Self.artist, albums: Self.albums, tracks: tracks.reversed(), album: nil)
        #expect(records.popularTracks(ArtistScreen.popularCount).map(\.number) == [1, 2, 3, 4, 5])
    }

    private func page(album: String? = nil, width: Int = 375, in locale: ScreenLocale = .english) -> ArtistPage {
        let records = ArtistRecords(
            artist: Self.artist, albums: Self.albums, tracks: Self.tracks, album: Self.albums.first { $0.id == album }
        )
        return ArtistPage(records: records, width: width, locale: locale)
    }

    private static let artist = Artist(
        id: "ann", name: "Ann", genre: TranslatedText(english: "Folk", french: "Chanson"),
        biography: TranslatedText(english: "She sings.", french: "Elle chante.")
    )

    private static let albums = [
        Album(id: "a", artist: "ann", title: "A", year: 2001),
        Album(id: "b", artist: "ann", title: "B", year: 2002, isNew: true),
        Album(id: "c", artist: "ann", title: "C", year: 2003, isNew: true, isExplicit: true),
    ]

    private static let tracks = [
        Track(album: "a", number: 1, title: "One", seconds: 9, plays: 7),
        Track(album: "a", number: 2, title: "Two", seconds: 600, plays: 7),
        Track(album: "b", number: 1, title: "Low", seconds: 222, plays: 8),
        Track(album: "b", number: 2, title: "High", seconds: 61, plays: 7),
    ]
}
