import ScreenModel
import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct MountainsModelTests {
    private let mountains = [
        Mountain(
            id: "mont-blanc", name: "Mont Blanc", metres: 4806, range: TranslatedText(english: "Alps", french: "Alpes"),
            countries: ["FR", "IT"]
        ),
        Mountain(id: "pao", name: "Pão de Açúcar", metres: 396, range: nil, countries: ["BR"]),
    ]

    @Test func withoutAQueryAllMountainsAreShownAndTheHeaderStatesTheirNumber() {
        #expect(
            transcript(Mountains.model(of: search(""), in: mountains, .english)) == [
                "section mountains",
                "header count text=2 mountains",
                "mont-blanc mountain name=Mont Blanc height=4,806 m metres=4806 range=Alps country=France, Italy",
                "pao mountain name=Pão de Açúcar height=396 m metres=396 country=Brazil",
            ]
        )
    }

    @Test func theTextsOfTheMountainsScreenAreTranslatedIntoFrench() {
        let lines = transcript(Mountains.model(of: search("bl"), in: mountains, .french))
        #expect(lines.count == 3)
        #expect(lines[1] == "header count text=1 sur 2 sommets")
        // In French, a narrow no-break space separates groups of digits. In older versions of the locale data, the separator is a no-break
        // space.
        let cells = ["\u{202F}", "\u{A0}"].map {
            "mont-blanc mountain name=Mont Blanc height=4\($0)806 m metres=4806 range=Alpes country=France, Italie"
        }
        #expect(cells.contains(lines[2]))
    }

    @Test func theFooterQuotesAQueryThatFindsNothing() {
        #expect(
            transcript(Mountains.model(of: search(" Zq"), in: mountains, .english)) == [
                "section mountains",
                "header count text=0 of 2 mountains",
                "footer empty text=No mountain has “Zq” in its name, range or country.",
            ]
        )
        #expect(
            transcript(Mountains.model(of: search("Zq"), in: mountains, .french)).last
                == "footer empty text=Aucun sommet n’a «\u{A0}Zq\u{A0}» dans son nom, son massif ou son pays."
        )
    }

    @Test(arguments: [
        (0, 0, "0 mountains", "0 sommets"), (1, 1, "1 mountain", "1 sommet"), (0, 1, "0 of 1 mountain", "0 sur 1 sommet"),
        (12, 156, "12 of 156 mountains", "12 sur 156 sommets"), (156, 156, "156 mountains", "156 sommets"),
    ])
    func theHeaderStatesTheNumberOfShownMountainsAndOfAllMountains(shown: Int, count: Int, english: String, french: String) {
        #expect(MountainsTexts(locale: .english).count(shown, outOf: count) == english)
        #expect(MountainsTexts(locale: .french).count(shown, outOf: count) == french)
    }

    @Test func anEmptyListWithoutAQueryHasNoFooter() {
        #expect(Mountains.model(of: search(""), in: [], .english)[0].footer == nil)
    }

    @Test func aCountryWithoutANameIsShownByItsCode() {
        #expect(MountainsTexts(locale: .english).country("XX") == "XX")
    }

    @Test(arguments: [ScreenLocale.english, .french])
    func eachCountryOfTheExamplesHasAName(locale: ScreenLocale) throws {
        let texts = MountainsTexts(locale: locale)
        for code in Set(try Examples.mountains.flatMap(\.countries)) { #expect(texts.country(code) != code) }
    }

    private func search(_ query: String) -> MountainSearch {
        MountainSearch(query: query, order: .name)
    }
}
