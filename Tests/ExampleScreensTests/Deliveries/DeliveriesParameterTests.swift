@testable import ExampleScreens
import ScreenService
import Testing

struct DeliveriesParameterTests {
    @Test(arguments: ["2018-07-12", "0001-01-01", "2020-02-29"])
    func fromTakesADate(text: String) {
        #expect(Deliveries.from.canonical(text) == text)
    }

    @Test(arguments: ["", "2018-7-12", "12.07.2018", "2018-02-30", "2019-02-29", " 2018-07-12", "2018-07-12T00:00:00Z"])
    func fromTakesNothingElse(text: String) {
        #expect(Deliveries.from.canonical(text) == nil)
    }

    @Test func allDaysAreShownByDefault() throws {
        #expect(Deliveries.from.defaultText == nil)
    }

    @Test func aContractIsAnyTextThatIsNotTooLong() {
        #expect(Deliveries.contract.canonical("240311-000") == "240311-000")
        #expect(Deliveries.contract.canonical(String(repeating: "é", count: 100)) != nil)
        #expect(Deliveries.contract.canonical(String(repeating: "1", count: 101)) == nil)
        #expect(Deliveries.contract.defaultText == "240189-000")
    }
}
