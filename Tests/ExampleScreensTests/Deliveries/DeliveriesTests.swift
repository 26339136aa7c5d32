import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct DeliveriesTests {
    @Test func withoutParametersTheScreenShowsTheDefaultContract() async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            let content = try await deliveries.content(for: .asking(deliveries))
            #expect(content.title == "ORGE PLANET")
            #expect(
                transcript(content.model) == [
                    "section contract",
                    "number detail label=Number value=240189-000",
                    "date detail label=Date value=5/16/18 raw=2018-05-16",
                    "status detail label=Status value=Discounted raw=discounted",
                    "contracted weight label=Contracted value=30.000 t kilograms=30000",
                    "delivered weight label=Delivered so far value=30.000 t kilograms=30000",
                    "window detail label=Delivery window value=7/1/18 – 8/31/18 raw=2018-07-01/2018-08-31",
                    "schedule schedule label=Schedule a delivery",
                    "section 2018-07-12",
                    "header day title=7/12/18 – 3 deliveries, 30.000 t kilograms=30000",
                    "7534-1 delivery number=7534-1 weight=10.766 t kilograms=10766 status=Weighed isWeighed=true",
                    "7556-1 delivery number=7556-1 weight=14.353 t kilograms=14353 status=Weighed isWeighed=true",
                    "7561-1 delivery number=7561-1 weight=4.881 t kilograms=4881 status=Weighed isWeighed=true",
                ]
            )
        }
    }

    @Test func daysBeforeTheFirstRequestedDayAreHidden() async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            let colza = ["contract": "240311-000"]
            let all = try await deliveries.content(for: .asking(deliveries, colza)).model
            #expect(all.map(\.id) == ["contract", "2018-07-10", "2018-07-11", "2018-07-19"])
            for (from, days) in [("2018-07-11", 1), ("2018-07-12", 2), ("2018-07-20", 3)] {
                let parameters = colza.merging(["from": from]) { $1 }
                let some = try await deliveries.content(for: .asking(deliveries, parameters)).model
                #expect(transcript(some) == transcript(.init(sections: [all[0]] + all.dropFirst(1 + days))))
            }
        }
    }

    @Test func weighingADeliveryUpdatesTheCellTheDayAndTheContract() async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            let request = ScreenRequest.asking(deliveries, ["contract": "240311-000"])
            let before = try await transcript(deliveries.content(for: request).model)
            try await store.write {
                try $0.changeDelivery("7559-1", ofContract: "240311-000") { $0.weighedWeight = Weight(kilograms: 12_620) }
            }
            let after = try await transcript(deliveries.content(for: request).model)
            #expect(
                Array(Set(before).subtracting(after)).sorted() == [
                    "7559-1 delivery number=7559-1 weight=12.500 t kilograms=12500 status=Scheduled isWeighed=false",
                    "delivered weight label=Delivered so far value=53.600 t kilograms=53600",
                    "header day title=7/19/18 – 1 delivery, 12.500 t kilograms=12500",
                ]
            )
            #expect(
                Array(Set(after).subtracting(before)).sorted() == [
                    "7559-1 delivery number=7559-1 weight=12.620 t kilograms=12620 status=Weighed isWeighed=true",
                    "delivered weight label=Delivered so far value=66.220 t kilograms=66220",
                    "header day title=7/19/18 – 1 delivery, 12.620 t kilograms=12620",
                ]
            )
        }
    }

    @Test func reschedulingADeliveryMovesItsCellToAnotherSection() async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            let day = CalendarDay(year: 2018, month: 7, day: 13)!
            try await store.write { try $0.changeDelivery("7561-1", ofContract: "240189-000") { $0.day = day } }
            let model = try await deliveries.content(for: .asking(deliveries)).model
            #expect(model.map(\.id) == ["contract", "2018-07-12", "2018-07-13"])
            #expect(model[1].map(\.id) == ["7534-1", "7556-1"])
            #expect(model[2].map(\.id) == ["7561-1"])
            #expect(model[1].header?.title == "7/12/18 – 2 deliveries, 25.119 t")
            #expect(model[2].header?.title == "7/13/18 – 1 delivery, 4.881 t")
        }
    }

    @Test func aRequestForAnUnknownContractFails() async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            await #expect(
                throws: ScreenError.noSuchValue(
                    parameter: "contract",
                    detail: "There is no contract 1. "
                        + "Known are 240189-000, 240233-000, 240311-000, 240402-000, 240500-000."
                )
            ) {
                try await deliveries.content(for: .asking(deliveries, ["contract": "1"]))
            }
        }
    }

    @Test func theScreenReadsOnlyTheTopicsOfItsContract() async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            let planet = try await deliveries.topics()
            #expect(planet == ["contract/240189-000", "deliveries/240189-000"])
            let colza = try await deliveries.topics(["contract": "240311-000", "from": "2018-07-12"])
            #expect(colza == ["contract/240311-000", "deliveries/240311-000"])
        }
    }

    @Test func anActionOnOneContractLeavesViewsOfOtherContractsCached() async throws {
        try await withService(DeliveriesTransaction.self, ExampleScreens.deliveries) { service in
            let (colza, pois) = (["contract": "240311-000"], ["contract": "240402-000"])
            let others = [pois, pois.merging(["from": "2018-06-27"]) { $1 }, [:]]
            for parameters in [colza] + others { _ = try await service.snapshot(of: Deliveries.name, parameters) }
            let before = service.computations
            try await service.perform("weigh", of: Deliveries.name, colza, #"{"delivery":"7559-1","kilograms":12620}"#)
            for parameters in others { _ = try await service.snapshot(of: Deliveries.name, parameters) }
            // One view is computed, for the response to the action. The other views are still cached.
            #expect(service.computations == before + 1)
        }
    }
}
