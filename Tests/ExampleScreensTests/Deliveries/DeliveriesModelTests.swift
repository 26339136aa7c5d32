import ScreenModel
import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct DeliveriesModelTests {
    @Test func theSectionsOfTheDaysComeAfterTheSectionOfTheContract() {
        #expect(
            transcript(Deliveries.model(of: .two, in: .english)) == [
                "section contract",
                "number detail label=Number value=1-2",
                "date detail label=Date value=5/6/18 raw=2018-05-06",
                "status detail label=Status value=Running raw=running",
                "contracted weight label=Contracted value=30.000 t kilograms=30000",
                "delivered weight label=Delivered so far value=1.205 t kilograms=1205",
                "window detail label=Delivery window value=7/1/18 – 8/31/18 raw=2018-07-01/2018-08-31",
                "schedule schedule label=Schedule a delivery",
                "section 2018-07-09",
                "header day title=7/9/18 – 1 delivery, 1.205 t kilograms=1205",
                "b delivery number=b weight=1.205 t kilograms=1205 status=Weighed isWeighed=true",
                "section 2018-12-10",
                "header day title=12/10/18 – 2 deliveries, 3.000 t kilograms=3000",
                "a delivery number=a weight=1.000 t kilograms=1000 status=Scheduled isWeighed=false",
                "c delivery number=c weight=2.000 t kilograms=2000 status=Scheduled isWeighed=false",
            ]
        )
    }

    @Test func theTextsOfTheDeliveriesScreenAreTranslatedIntoFrench() {
        #expect(
            transcript(Deliveries.model(of: .two, in: .french)) == [
                "section contract",
                "number detail label=Numéro value=1-2",
                "date detail label=Date value=06/05/2018 raw=2018-05-06",
                "status detail label=Statut value=En cours raw=running",
                "contracted weight label=Poids contractuel value=30,000 t kilograms=30000",
                "delivered weight label=Livré à ce jour value=1,205 t kilograms=1205",
                "window detail label=Période de livraison value=01/07/2018 – 31/08/2018 raw=2018-07-01/2018-08-31",
                "schedule schedule label=Prévoir une livraison",
                "section 2018-07-09",
                "header day title=09/07/2018 – 1 livraison, 1,205 t kilograms=1205",
                "b delivery number=b weight=1,205 t kilograms=1205 status=Pesée isWeighed=true",
                "section 2018-12-10",
                "header day title=10/12/2018 – 2 livraisons, 3,000 t kilograms=3000",
                "a delivery number=a weight=1,000 t kilograms=1000 status=Prévue isWeighed=false",
                "c delivery number=c weight=2,000 t kilograms=2000 status=Prévue isWeighed=false",
            ]
        )
    }

    @Test(arguments: [ScreenLocale.english, .french])
    func eachStatusHasADistinctText(locale: ScreenLocale) {
        let words = Contract.Status.allCases.map { $0.title.in(locale) }
        #expect(Set(words).count == Contract.Status.allCases.count)
        #expect(!words.contains(""))
    }

    @Test func aContractWithoutDeliveriesIsShownWithoutDays() {
        let two = DeliveriesRecords.two
        let records = DeliveriesRecords(contract: two.contract, totals: two.totals, deliveries: [])
        #expect(Deliveries.model(of: records, in: .english).map(\.id) == ["contract"])
    }

    @Test func theSeparatorOfThousandsDependsOnTheLanguage() {
        let weight = Weight(kilograms: 60_000_000)
        #expect(DeliveriesFormat.of(.english).text(weight) == "60,000.000 t")
        // In French, a narrow no-break space separates groups of digits. In older versions of the locale data, the separator is a no-break
        // space.
        let french = DeliveriesFormat.of(.french).text(weight)
        #expect(["60\u{202F}000,000 t", "60\u{A0}000,000 t"].contains(french))
    }

    @Test(arguments: ["0001-01-01", "1969-12-31", "1970-01-01", "2000-02-29", "9999-12-31"])
    func aDateIsFormattedIndependentlyOfTheTimeZone(text: String) throws {
        let day = try #require(CalendarDay(text))
        let english = DeliveriesFormat.of(.english).text(day)
        #expect(english.hasPrefix("\(day.month)/\(day.day)/"))
    }

    @Test func theErrorForAnUnknownContractListsTheExistingContracts() {
        let known = ["1", "2"].map { ContractName(number: $0, name: "Name \($0)") }
        #expect(
            DeliveriesRecords.noContract("9", known: known, .english)
                == .noSuchValue(parameter: "contract", detail: "There is no contract 9. Known are 1, 2.")
        )
        #expect(
            DeliveriesRecords.noContract("9", known: known, .french)
                == .noSuchValue(parameter: "contract", detail: "Le contrat 9 n’existe pas. On connaît 1, 2.")
        )
    }

    @Test(arguments: [0, 11])
    func theErrorForAnUnknownContractDoesNotListMoreThanTenContracts(count: Int) {
        let known = (0..<count).map { ContractName(number: "\($0)", name: "") }
        #expect(
            DeliveriesRecords.noContract("9", known: known, .english)
                == .noSuchValue(parameter: "contract", detail: "There is no contract 9.")
        )
    }
}

extension DeliveriesRecords {
    /// The records of a contract with deliveries on two days.
    fileprivate static let two = DeliveriesRecords(
        contract: Contract(
            number: "1-2", name: "BARLEY", date: day(5, 6), status: .running,
            contractedWeight: Weight(kilograms: 30_000), window: day(7, 1)...day(8, 31)
        ),
        totals: DeliveryTotals(
            count: 3, scheduledWeight: Weight(kilograms: 4200), weighedWeight: Weight(kilograms: 1205)
        ),
        deliveries: [
            delivery("b", day(7, 9), scheduled: 1200, weighed: 1205),
            delivery("a", day(12, 10), scheduled: 1000),
            delivery("c", day(12, 10), scheduled: 2000),
        ]
    )

    private static func delivery(_ id: String, _ day: CalendarDay, scheduled: Int, weighed: Int? = nil) -> Delivery {
        Delivery(
            id: id, contract: "1-2", day: day, scheduledWeight: Weight(kilograms: scheduled),
            weighedWeight: weighed.map { Weight(kilograms: $0) }
        )
    }

    private static func day(_ month: Int, _ day: Int) -> CalendarDay {
        CalendarDay(year: 2018, month: month, day: day)!
    }
}
