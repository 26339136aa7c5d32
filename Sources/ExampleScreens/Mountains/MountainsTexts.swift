import ExampleStores
import Foundation
import ScreenService

/// What ``Mountains`` says, in one language.
struct MountainsTexts {
    let locale: ScreenLocale
    private let numbers: IntegerFormatStyle<Int>

    init(locale: ScreenLocale) {
        self.locale = locale
        numbers = .number.locale(locale.formatting)
    }

    var title: String { locale.text(english: "Mountains", french: "Montagnes") }
}

// What depends on a value.
extension MountainsTexts {
    func text(_ text: TranslatedText) -> String {
        locale.text(english: text.english, french: text.french)
    }

    /// The name of the country with this code, or the code where it has none here.
    func country(_ code: String) -> String {
        CountryNames.byCode[code].map(text) ?? code
    }

    /// The names of the range and the countries of a mountain.
    func surroundings(of mountain: Mountain) -> [String] {
        (mountain.range.map { [text($0)] } ?? []) + mountain.countries.map(country)
    }

    func height(_ metres: Int) -> String { numbers.format(metres) + " m" }

    /// How many of `count` mountains are shown.
    func count(_ shown: Int, outOf count: Int) -> String {
        let mountains =
            count == 1
            ? locale.text(english: "mountain", french: "sommet")
            : locale.text(english: "mountains", french: "sommets")
        let all = "\(numbers.format(count)) \(mountains)"
        guard shown < count else { return all }
        let some = numbers.format(shown)
        return locale.text(english: "\(some) of \(all)", french: "\(some) sur \(all)")
    }

    func nothing(for query: String) -> String {
        locale.text(
            english: "No mountain has “\(query)” in its name, range or country.",
            french: "Aucun sommet n’a «\u{A0}\(query)\u{A0}» dans son nom, son massif ou son pays."
        )
    }
}

// What the list of screens says.
extension MountainsTexts {
    var queryParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "Search", french: "Rechercher"),
            summary: locale.text(
                english: "A part of the name, the range or the country. Case and accents are ignored.",
                french: "Une partie du nom, du massif ou du pays, sans égard à la casse ni aux accents."
            )
        )
    }

    var sortParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "Order", french: "Ordre"),
            summary: locale.text(english: "By name, or the highest first.", french: "Par nom, ou les plus hauts d’abord."),
            choices: [locale.text(english: "Name", french: "Nom"), locale.text(english: "Height", french: "Altitude")]
        )
    }
}
