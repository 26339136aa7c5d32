import ExampleStores
import Foundation
import ScreenService

/// What ``ArtistScreen`` says, in one language. Titles are shown as they were given.
struct ArtistTexts {
    let locale: ScreenLocale
    private let numbers: IntegerFormatStyle<Int>
    private let durations: Duration.TimeFormatStyle

    init(locale: ScreenLocale) {
        self.locale = locale
        numbers = .number.locale(locale.formatting)
        durations = Duration.TimeFormatStyle(pattern: .minuteSecond, locale: locale.formatting)
    }

    var title: String { locale.text(english: "Artist", french: "Artiste") }

    var album: String { locale.text(english: "Album", french: "Album") }
    var allAlbums: String { locale.text(english: "All albums", french: "Tous les albums") }
    var albums: String { locale.text(english: "Albums", french: "Albums") }
    var popularTracks: String { locale.text(english: "Popular tracks", french: "Titres populaires") }
}

// What the list of screens says.
extension ArtistTexts {
    var albumParameter: ParameterTexts {
        ParameterTexts(
            title: album,
            summary: locale.text(
                english: "The album to show; without one, all of them.", french: "L’album à afficher ; sans lui, tous."
            )
        )
    }

    var widthParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "Width", french: "Largeur"),
            summary: locale.text(
                english: "How wide the list is, in points. Sizes follow from it.",
                french: "La largeur de la liste, en points. Les tailles en découlent."
            )
        )
    }
}

// What depends on a value.
extension ArtistTexts {
    func text(_ text: TranslatedText) -> String {
        locale.text(english: text.english, french: text.french)
    }

    func text(_ mark: ArtistScreen.BadgeView.Mark) -> String {
        switch mark {
        case .new: locale.text(english: "New", french: "Nouveau")
        case .explicit: locale.text(english: "Explicit", french: "Explicite")
        }
    }

    /// - Parameter known: some that there are; empty to name none.
    func noAlbum(_ album: String, known: [String]) -> String {
        let list = known.joined(separator: ", ")
        return locale.text(
            english: "There is no album \(album)." + (known.isEmpty ? "" : " Known are \(list)."),
            french: "L’album \(album) n’existe pas." + (known.isEmpty ? "" : " On connaît \(list).")
        )
    }

    /// `3:42`
    ///
    /// - Parameter seconds: Any number, as it comes from a database. Foundation traps at `Int.min`.
    func duration(_ seconds: Int) -> String { durations.format(.seconds(max(0, seconds))) }

    func detail(albumCount: Int, trackCount: Int) -> String {
        let albums = albumCount == 1 ? "album" : "albums"
        return "\(numbers.format(albumCount)) \(albums) · \(tracks(trackCount))"
    }

    /// How many tracks an album has, and how long they take together.
    func contents(of tracks: [Track]) -> String {
        "\(self.tracks(tracks.count)) · \(duration(tracks.reduce(0) { Self.sum($0, $1.seconds) }))"
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? b < 0 ? .min : .max : sum
    }

    private func tracks(_ count: Int) -> String {
        let word =
            count == 1
            ? locale.text(english: "track", french: "titre")
            : locale.text(english: "tracks", french: "titres")
        return "\(numbers.format(count)) \(word)"
    }
}
