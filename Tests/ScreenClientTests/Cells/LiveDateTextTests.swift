import Foundation
import ScreenClient
import Testing

/// Runs the cases of `Tests/Fixtures/Dates.json`. The JavaScript library runs the same cases.
@Suite("The texts of dates") struct LiveDateTextTests {
    struct Case: Decodable, CustomTestStringConvertible {
        let name: String
        let date: LiveDate
        let now: Date
        let en: String?
        let fr: String?
        let next: Date?

        var testDescription: String { name }
    }

    private static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).appending(path: "../../../Fixtures/Dates.json").standardized
        do {
            return try JSONReader.read(Array(Data(contentsOf: file))).decode()
        } catch {
            fatalError("Dates.json: \(error)")
        }
    }()

    @Test(arguments: cases) func aDateHasTheTextOfItsStyleAndLanguage(_ one: Case) {
        for (locale, text) in [("en", one.en), ("fr", one.fr), ("fr_CA", one.fr), ("de", one.en)] {
            if let text { #expect(one.date.text(at: one.now, in: Locale(identifier: locale)) == text) }
        }
        #expect(one.date.nextChange(after: one.now) == one.next)
    }

    @Test(arguments: cases) func theTextStaysTheSameUntilItsNextChange(_ one: Case) {
        guard let next = one.next else { return }
        let text = { (time: Date) in one.date.text(at: time, in: Locale(identifier: "en")) }
        #expect(text(next.addingTimeInterval(-0.001)) == text(one.now) && text(next) != text(one.now))
    }

    @Test func withoutAStyleTheTextIsTheDateInTheLanguage() {
        let date = LiveDate(secondsSince1970: 1_783_846_800)
        #expect(date.text(in: Locale(identifier: "en")).contains("Jul 12, 2026"))
        #expect(date.text(in: Locale(identifier: "fr")).contains("12 juil. 2026"))
    }
}
