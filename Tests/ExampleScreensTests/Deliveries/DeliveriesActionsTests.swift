import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct DeliveriesActionsTests {
    /// Runs `body` with a function that performs actions on a contract. The default contract is COLZA, for 90 t. The scheduled weights of
    /// its deliveries amount to 66.5 t, and the weighed deliveries amount to 53.6 t. The contract ORGE PLANET has no room for another
    /// delivery.
    private func withContract(
        _ number: String = "240311-000", _ body: (Performing<Deliveries>, Store<DeliveriesTransaction>) async throws -> Void
    ) async throws {
        try await withStore(DeliveriesTransaction.self) { store in
            try await body(Performing(screen: Deliveries(store: store), parameters: ["contract": number]), store)
        }
    }

    @Test func schedulingADeliveryAddsItToTheSectionOfItsDay() async throws {
        try await withContract { perform, store async throws in
            try await perform("schedule", #"{"day":"2018-07-19","kilograms":23500}"#)
            let deliveries = try await store.read { try $0.deliveries(ofContract: "240311-000") }
            #expect(deliveries.count == 4)
            #expect(deliveries.filter { $0.day.description == "2018-07-19" }.map(\.scheduledWeight.kilograms) == [12_500, 23_500])
        }
    }

    @Test func restoringTheExamplesRevertsChangesOfAllContracts() async throws {
        try await withContract { perform, store async throws in
            try await perform("schedule", #"{"day":"2018-07-19","kilograms":23500}"#)
            try await perform("weigh", #"{"delivery":"7559-1","kilograms":12000}"#)
            try await perform("cancel", #"{"delivery":"7548-1"}"#)
            var other = perform
            other.parameters = ["contract": "240189-000"]
            try await other("reschedule", #"{"delivery":"7556-1","day":"2018-07-14"}"#)
            try await store.write { store in
                var contract = try Examples.contracts[1]
                contract.name = "OTHER"
                try store.replaceContract(contract)
            }
            try await perform("restore")
            let examples = try Examples.deliveries
            for contract in try Examples.contracts {
                let found = try await store.read { try ($0.contract(contract.number), $0.deliveries(ofContract: contract.number)) }
                #expect(found.0 == contract)
                #expect(Set(found.1) == Set(examples.filter { $0.contract == contract.number }))
            }
        }
    }

    @Test func schedulingMoreThanTheContractedWeightIsRejected() async throws {
        try await withContract { perform, store async throws in
            let full = BrokenRule(
                field: "kilograms", "Scheduled deliveries may not exceed the contracted weight; there is room for 23,500 kg."
            )
            await #expect(throws: BrokenRules([full])) { try await perform("schedule", #"{"day":"2018-07-19","kilograms":23501}"#) }
            #expect(try await store.read { try $0.deliveries(ofContract: "240311-000").count } == 3)
        }
    }

    @Test func allBrokenRulesAreReportedTogetherInTheUsersLanguage() async throws {
        try await withContract("240189-000") { perform, _ async throws in
            var perform = perform
            perform.locale = .french
            let rules = [
                BrokenRule(field: "day", "Le jour doit être dans la période de livraison, 01/07/2018 – 31/08/2018."),
                BrokenRule(
                    field: "kilograms", "Les livraisons prévues ne peuvent dépasser le poids contractuel ; il reste 0 kg."
                ),
            ]
            await #expect(throws: BrokenRules(rules)) {
                try await perform("schedule", #"{"day":"2018-09-01","kilograms":1}"#)
            }
        }
    }

    @Test func reschedulingADeliveryToADayOutsideTheWindowIsRejected() async throws {
        try await withContract { perform, store async throws in
            try await perform("reschedule", #"{"delivery":"7559-1","day":"2018-08-17"}"#)
            let rule = BrokenRule(field: "day", "The day must be within the delivery window, 7/9/18 – 8/17/18.")
            await #expect(throws: BrokenRules([rule])) {
                try await perform("reschedule", #"{"delivery":"7559-1","day":"2018-08-18"}"#)
            }
            #expect(try await store.read { try $0.delivery("7559-1", ofContract: "240311-000")?.day.description } == "2018-08-17")
        }
    }

    @Test func theSumOfAllWeighingsMayExceedTheContractedWeightByUpToFivePercent() async throws {
        try await withContract { perform, store async throws in
            // All weighings together may not exceed 94.5 t. The earlier weighings amount to 53.6 t, so 40.9 t remain.
            let room = BrokenRule(
                field: "kilograms",
                "All weighings together may exceed the contracted weight by 5 %; this one may be 40,900 kg."
            )
            await #expect(throws: BrokenRules([room])) { try await perform("weigh", #"{"delivery":"7559-1","kilograms":40901}"#) }
            try await perform("weigh", #"{"delivery":"7559-1","kilograms":40900}"#)
            #expect(try await store.read { try $0.deliveryTotals(ofContract: "240311-000").weighedWeight.kilograms } == 94_500)
        }
    }

    @Test func weighingADeliveryAgainReplacesItsWeight() async throws {
        try await withContract("240189-000") { perform, store async throws in
            try await perform("weigh", #"{"delivery":"7534-1","kilograms":12266}"#)
            #expect(try await store.read { try $0.deliveryTotals(ofContract: "240189-000").weighedWeight.kilograms } == 31_500)
        }
    }

    @Test(arguments: ["reschedule", "weigh", "cancel"])
    func actionsOnADeletedDeliveryAreRejected(_ action: String) async throws {
        try await withContract { perform, _ async throws in
            await #expect(throws: BrokenRules([BrokenRule(field: "delivery", "There is no delivery 7534-1 any more.")])) {
                try await perform(action, #"{"delivery":"7534-1","day":"2018-07-20","kilograms":1}"#)
            }
        }
    }

    @Test func cancellingADeliveryMakesRoomForAnotherDelivery() async throws {
        try await withContract("240189-000") { perform, store async throws in
            try await perform("cancel", #"{"delivery":"7561-1"}"#)
            try await perform("schedule", #"{"day":"2018-07-13","kilograms":4881}"#)
            let ids = try await store.read { try $0.deliveries(ofContract: "240189-000").map(\.id) }
            #expect(ids.count == 3)
            #expect(!ids.contains("7561-1"))
        }
    }

    @Test func deliveriesThatAreScheduledConcurrentlyCannotExceedTheContractedWeight() async throws {
        try await withContract { perform, store async throws in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask { (try? await perform("schedule", #"{"day":"2018-07-20","kilograms":9000}"#)) != nil }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count(where: \.self) == 2)
            #expect(try await store.read { try $0.deliveryTotals(ofContract: "240311-000").scheduledWeight.kilograms } == 84_500)
        }
    }
}
