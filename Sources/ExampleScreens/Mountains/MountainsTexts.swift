import ExampleRecords
import Foundation
import ScreenService

/// The texts of ``Mountains`` that depend on data, in one language.
struct MountainsTexts {
    private static let countries = (try? Examples.countries) ?? [:]

    let locale: ScreenLocale
    private let numbers: IntegerFormatStyle<Int>

    init(locale: ScreenLocale) {
        self.locale = locale
        numbers = .number.locale(locale.formatting)
    }

    func country(_ code: String) -> String {
        Self.countries[code]?.in(locale) ?? code
    }

    func regionNames(of mountain: Mountain) -> [String] {
        (mountain.range.map { [$0.in(locale)] } ?? []) + mountain.countries.map(country)
    }

    func height(_ metres: Int) -> String { numbers.format(metres) + " m" }

    /// Returns a text such as `20 of 120 mountains`.
    func count(_ shown: Int, outOf count: Int) -> String {
        let mountains = count == 1 ? Text("mountain", fr: "sommet") : Text("mountains", fr: "sommets")
        let all = "\(numbers.format(count)) \(mountains.in(locale))"
        guard shown < count else { return all }
        let some = numbers.format(shown)
        return Text("\(some) of \(all)", fr: "\(some) sur \(all)").in(locale)
    }

    func nothing(for query: String) -> String {
        Text(
            "No mountain has “\(query)” in its name, range or country.",
            fr: "Aucun sommet n’a «\u{A0}\(query)\u{A0}» dans son nom, son massif ou son pays."
        ).in(locale)
    }
}
