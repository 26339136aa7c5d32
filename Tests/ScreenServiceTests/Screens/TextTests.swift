import ScreenService
import Testing

struct TextTests {
    private let german = ScreenLocale(language: "de", region: "CH")

    @Test func aTextIsTranslatedToTheLanguageOfALocale() {
        let name = Text("Name", fr: "Nom")
        #expect(name.in(.english) == "Name")
        #expect(name.in(.french) == "Nom")
        #expect(name.in(ScreenLocale(language: "fr", region: "CH")) == "Nom")
    }

    @Test func aTextWithoutATranslationIsInEnglish() {
        #expect(Text("Name", fr: "Nom").in(german) == "Name")
    }

    @Test func aTextCanHaveTranslationsToAnyLanguage() {
        #expect(Text("Name", translations: ["fr": "Nom", "de": "Vorname"]).in(german) == "Vorname")
    }

    @Test func aStringLiteralIsTheSameTextInAllLanguages() {
        let (literal, count): (Text, Text) = ("Wi-Fi", "\(3) posts")
        #expect([ScreenLocale.english, .french, german].allSatisfy { literal.in($0) == "Wi-Fi" })
        #expect(count.in(.french) == "3 posts")
    }
}
