import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct MountainSearchTests {
    @Test(arguments: [
        ("moen", []), ("mon", ["moench", "mont-blanc", "iceland"]), ("MÖN", ["moench", "mont-blanc", "iceland"]),
        ("mönt", ["mont-blanc", "iceland"]), ("jokull", ["iceland"]), ("jökull", ["iceland"]), ("JÖKÜLL", ["iceland"]),
        ("æ", ["aetna", "iceland"]), ("ae", ["aetna", "iceland"]),
        ("lysica", ["lysica"]), ("Łys", ["lysica"]), ("łyś", ["lysica"]),
        ("d'o", ["ossau"]), ("d’o", ["ossau"]), ("  blanc ", ["mont-blanc"]),
        ("nt bl", ["mont-blanc"]), ("*", []), (".", []),
    ])
    func theSearchIgnoresCaseAndAccentsInNamesAndQueries(query: String, ids: [String]) {
        #expect(Set(found(query)) == Set(ids))
    }

    @Test(arguments: ["", " ", "\n\t"])
    func anEmptyQueryFindsAllMountains(query: String) {
        #expect(found(query).count == Self.mountains.count)
    }

    @Test func theSortOrderOfNamesIgnoresAccents() {
        #expect(found("") == ["aetna", "etna", "lysica", "moench", "mont-blanc", "iceland", "zz-o", "oe", "ossau"])
    }

    @Test func sortingByHeightPutsTheHighestMountainFirstAndSortsEqualHeightsByName() {
        #expect(
            found("", by: .height) == ["mont-blanc", "moench", "aetna", "etna", "ossau", "iceland", "lysica", "zz-o", "oe"]
        )
    }

    @Test(arguments: Mountains.Order.allCases)
    func theSearchResultDoesNotDependOnTheOrderOfTheRecords(order: Mountains.Order) {
        let search = MountainSearch(query: "", order: order)
        let twins = ["b", "a"].map { Mountain(id: $0, name: "Ötztal", metres: 1, range: nil, countries: []) }
        let all = Self.mountains + twins
        let ids = search.found(in: all, Self.texts).map(\.id)
        #expect(search.found(in: all.reversed(), Self.texts).map(\.id) == ids)
        #expect(ids.suffix(2) == ["a", "b"] || order == .name)
    }

    private func found(_ query: String, by order: Mountains.Order = .name) -> [String] {
        MountainSearch(query: query, order: order).found(in: Self.mountains, Self.texts).map(\.id)
    }

    @Test func rangesAndCountriesAreSearchedInTheRequestedLanguage() {
        let alps = TranslatedText(english: "Alps", french: "Alpes")
        let eiger = [Mountain(id: "eiger", name: "Eiger", metres: 3967, range: alps, countries: ["CH"])]
        func isFound(_ query: String, in locale: ScreenLocale) -> Bool {
            !MountainSearch(query: query, order: .name).found(in: eiger, MountainsTexts(locale: locale)).isEmpty
        }
        #expect(isFound("alps", in: .english) && isFound("switz", in: .english))
        #expect(isFound("ALPES", in: .french) && isFound("suisse", in: .french))
        #expect(!isFound("alps", in: .french) && !isFound("suisse", in: .english))
    }

    private static let texts = MountainsTexts(locale: .english)

    private static let mountains = [
        mountain("oe", "Øye", 10), mountain("mont-blanc", "Mont Blanc", 4806), mountain("moench", "Mönch", 4110),
        mountain("ossau", "Pic du Midi d'Ossau", 2884), mountain("lysica", "Łysica", 614), mountain("etna", "Etna", 3000),
        mountain("aetna", "Ætna", 3000), mountain("iceland", "Montagne Snæfellsjökull", 1446), mountain("zz-o", "Øy", 10),
    ]

    private static func mountain(_ id: String, _ name: String, _ metres: Int) -> Mountain {
        Mountain(id: id, name: name, metres: metres, range: nil, countries: [])
    }
}
