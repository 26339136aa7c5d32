import ExampleRecords
import Foundation
import ScreenService

/// The texts of ``ArtistScreen`` that depend on data, in one language. Titles are not translated.
struct ArtistTexts {
    let locale: ScreenLocale
    private let numbers: IntegerFormatStyle<Int>
    private let durations: Duration.TimeFormatStyle

    init(locale: ScreenLocale) {
        self.locale = locale
        numbers = .number.locale(locale.formatting)
        durations = Duration.TimeFormatStyle(pattern: .minuteSecond, locale: locale.formatting)
    }

    /// Returns a duration such as `3:42`. A negative number is formatted as 0, because Foundation would crash at `Int.min`.
    func duration(_ seconds: Int) -> String { durations.format(.seconds(max(0, seconds))) }

    func detail(albumCount: Int, trackCount: Int) -> String {
        let albums = albumCount == 1 ? "album" : "albums"
        return "\(numbers.format(albumCount)) \(albums) · \(tracks(trackCount))"
    }

    func contents(of tracks: [Track]) -> String {
        "\(self.tracks(tracks.count)) · \(duration(tracks.reduce(0) { Self.sum($0, $1.seconds) }))"
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? b < 0 ? .min : .max : sum
    }

    private func tracks(_ count: Int) -> String {
        let word = count == 1 ? Text("track", fr: "titre") : Text("tracks", fr: "titres")
        return "\(numbers.format(count)) \(word.in(locale))"
    }
}
