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
            english: "No mountain has “\(query)” in its name.",
            french: "Aucun sommet n’a «\u{A0}\(query)\u{A0}» dans son nom."
        )
    }
}
