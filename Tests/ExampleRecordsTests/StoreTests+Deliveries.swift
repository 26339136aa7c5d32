import ScreenService
import TemporaryDatabase
import Testing

@testable import ExampleRecords

private let orge = "240189-000"
private let colza = "240311-000"

extension StoreTests {
    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func deliveriesAreReadInTheOrderOfTheirDaysAndThenOfTheirIDs(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            try await store.write { store in
                try store.insertDelivery(.some("7550-1", on: "2018-07-12"))
                try store.insertDelivery(.some("9999-1", on: "2018-07-11"))
            }
            let all = try await store.read { try $0.deliveries(ofContract: orge).map(\.id) }
            #expect(all == ["9999-1", "7534-1", "7550-1", "7556-1", "7561-1"])
            let later = try await store.read {
                try $0.deliveries(ofContract: orge, from: CalendarDay("2018-07-12")).map(\.id)
            }
            #expect(later == ["7534-1", "7550-1", "7556-1", "7561-1"])
            #expect(try await store.read { try $0.deliveries(ofContract: "none") } == [])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func insertedAndReplacedDeliveriesAreReadBackAndAnnounced(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            var delivery = Delivery.some("1-1", on: "2018-08-31")
            try await store.write { [delivery] in try $0.insertDelivery(delivery) }
            #expect(try await store.read { try $0.delivery("1-1", ofContract: orge) } == delivery)
            delivery.weighedWeight = Weight(kilograms: 999)
            delivery.scheduledWeight = Weight(kilograms: 1)
            delivery.day = CalendarDay("2018-08-01")!
            try await store.write { [delivery] in try $0.replaceDelivery(delivery) }
            #expect(try await store.read { try $0.delivery("1-1", ofContract: orge) } == delivery)
            #expect(announcements.commits == [["deliveries/240189-000"], ["deliveries/240189-000"]])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func aChangedDeliveryIsReadBackAndAnnounced(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let weight = Weight(kilograms: 4_900)
            let changed = Delivery(id: "7561-1", contract: orge, day: CalendarDay("2018-07-13")!, scheduledWeight: weight)
            try await store.write { try $0.changeDelivery("7561-1", ofContract: orge) { $0 = changed } }
            #expect(try await store.read { try $0.delivery("7561-1", ofContract: orge) } == changed)
            #expect(announcements.commits == [["deliveries/240189-000"]])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func movingADeliveryToAnotherContractAnnouncesBothContracts(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { store in
                try store.changeDelivery("7561-1", ofContract: orge) { $0.contract = colza }
            }
            #expect(try await store.read { try $0.delivery("7561-1", ofContract: orge) } == nil)
            #expect(try await store.read { try $0.delivery("7561-1", ofContract: colza) } != nil)
            #expect(announcements.commits == [["deliveries/240189-000", "deliveries/240311-000"]])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func aDeletedDeliveryIsNotFound(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.write { try $0.deleteDelivery("7561-1", ofContract: orge) })
            #expect(try await store.read { try $0.delivery("7561-1", ofContract: orge) } == nil)
            #expect(announcements.commits == [["deliveries/240189-000"]])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func writesThatChangeNoDeliveryAreNotAnnounced(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.write { try !$0.deleteDelivery("none", ofContract: orge) })
            #expect(try await store.write { try !$0.deleteDelivery("7561-1", ofContract: colza) })
            try await store.write { try $0.changeDelivery("7561-1", ofContract: orge) { $0.day = CalendarDay("2018-07-12")! } }
            #expect(announcements.commits == [])
            #expect(try await store.read { try $0.deliveries(ofContract: orge).count } == 3)
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func aDeliveryWithAnExistingIDOrAMissingContractIsRejected(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            await #expect(throws: DeliveriesStoreError.deliveryExists(id: "7561-1")) {
                try await store.write { try $0.insertDelivery(.some("7561-1", on: "2018-07-12")) }
            }
            await #expect(throws: DeliveriesStoreError.noContract(number: "none")) {
                try await store.write { try $0.insertDelivery(.some("1-1", on: "2018-07-12", contract: "none")) }
            }
            await #expect(throws: DeliveriesStoreError.noContract(number: "none")) {
                try await store.write { try $0.replaceDelivery(.some("7561-1", on: "2018-07-12", contract: "none")) }
            }
            await #expect(throws: DeliveriesStoreError.noDelivery(id: "1-1")) {
                try await store.write { try $0.replaceDelivery(.some("1-1", on: "2018-07-12")) }
            }
            await #expect(throws: DeliveriesStoreError.noDelivery(id: "7561-1")) {
                try await store.write { try $0.changeDelivery("7561-1", ofContract: colza) { $0.weighedWeight = nil } }
            }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func totalsIncludeEveryDeliveryOfTheContract(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let totals = try await store.read { try $0.deliveryTotals(ofContract: colza) }
            #expect(totals.count == 3)
            #expect(totals.scheduledWeight == Weight(kilograms: 66_500))
            #expect(totals.weighedWeight == Weight(kilograms: 53_600))
            let none = try await store.read { try $0.deliveryTotals(ofContract: "none") }
            #expect(none == DeliveryTotals(count: 0, scheduledWeight: .zero, weighedWeight: .zero))
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func totalsOfHugeWeightsDoNotOverflow(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let ids = try await store.read { try $0.deliveries(ofContract: colza).map(\.id) }
            try await store.write { store in
                for id in ids {
                    try store.changeDelivery(id, ofContract: colza) { delivery in
                        delivery.scheduledWeight = Weight(kilograms: .max)
                        delivery.weighedWeight = id == ids[0] ? nil : Weight(kilograms: .min)
                    }
                }
            }
            let totals = try await store.read { try $0.deliveryTotals(ofContract: colza) }
            #expect(totals.scheduledWeight.kilograms == 3 * DeliveryTotals.limit.kilograms)
            #expect(totals.weighedWeight.kilograms == -2 * DeliveryTotals.limit.kilograms)
        }
    }

    @Test func sumsOfWeightsSaturateInsteadOfOverflowing() {
        let (most, least, one) = (Weight(kilograms: .max), Weight(kilograms: .min), Weight(kilograms: 1))
        #expect(most + one == most && least - one == least && least + least == least && .zero - least == most && most - least == most)
        #expect(most.percent(105) == most && least.percent(105) == least && least.percent(-105) == most)
        #expect(Weight(kilograms: 30_000).percent(105) == Weight(kilograms: 31_500))
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func newDeliveryIDsNeverReuseADeletedID(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let first = try await store.write { try $0.newDeliveryID() }
            #expect(first == "7562-1")
            #expect(announcements.commits == [])
            try await store.write { store in
                try store.insertDelivery(.some("7570-2", on: "2018-07-12"))
                try store.deleteDelivery("7570-2", ofContract: orge)
                try store.insertDelivery(.some("no number", on: "2018-07-12"))
                try store.insertDelivery(.some("9223372036854775807-1", on: "2018-07-12"))
            }
            #expect(try await store.write { try $0.newDeliveryID() } == "7571-1")
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func readingDeliveriesRecordsTheirTopicEvenIfNoDeliveryIsFound(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let topics: Set = ["deliveries/240189-000"]
            #expect(try await store.topics { _ = try $0.deliveries(ofContract: orge) } == topics)
            #expect(try await store.topics { _ = try $0.deliveryTotals(ofContract: orge) } == topics)
            #expect(try await store.topics { _ = try $0.delivery("7561-1", ofContract: orge) } == topics)
            #expect(try await store.topics { _ = try $0.delivery("none", ofContract: orge) } == topics)
            #expect(try await store.topics { _ = try $0.deliveries(ofContract: "none") } == ["deliveries/none"])
        }
    }
}

extension Delivery {
    fileprivate static func some(_ id: String, on day: String, contract: String = orge) -> Delivery {
        Delivery(id: id, contract: contract, day: CalendarDay(day)!, scheduledWeight: Weight(kilograms: 1_000))
    }
}
