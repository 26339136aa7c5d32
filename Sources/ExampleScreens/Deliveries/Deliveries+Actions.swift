import ExampleStores
import ScreenModel
import ScreenService

extension Deliveries {
    enum ActionName {
        static let schedule = "schedule"
        static let reschedule = "reschedule"
        static let weigh = "weigh"
        static let cancel = "cancel"
        static let restore = "restore"
    }

    static let delivery = Field.text("delivery", source: .cell) { DeliveriesTexts(locale: $0).delivery }.example("7512-1")
    static let day = Field<CalendarDay>.date("day") { DeliveriesTexts(locale: $0).day }.example("2018-07-12")
    static let kilograms = Field.integer("kilograms", in: 1...100_000) { DeliveriesTexts(locale: $0).kilograms }

    var actions: [Action] {
        [
            Action(ActionName.schedule, "Adds a delivery on a day.", Self.day, Self.kilograms) { request, day, kilograms in
                let weight = Weight(kilograms: kilograms)
                try await write(request) { store, rules in
                    try rules.checkSchedule(day, weight)
                    let delivery = Delivery(
                        id: try store.newDeliveryID(), contract: rules.contract.number, day: day, scheduledWeight: weight
                    )
                    try store.insertDelivery(delivery)
                }
            }
            .texts(title: { DeliveriesTexts(locale: $0).schedule }, summary: { DeliveriesTexts(locale: $0).toSchedule }),
            Action(ActionName.reschedule, "Moves a delivery to another day.", Self.delivery, Self.day) { request, id, day in
                try await write(request) { store, rules in
                    _ = try rules.delivery(id, in: store)
                    try rules.check(day)
                    try store.moveDelivery(id, ofContract: rules.contract.number, to: day)
                }
            }
            .texts(title: { DeliveriesTexts(locale: $0).reschedule }, summary: { DeliveriesTexts(locale: $0).toReschedule }),
            Action(
                ActionName.weigh, "Says what the weighbridge found.", Self.delivery, Self.kilograms
            ) { request, id, kilograms in
                let weight = Weight(kilograms: kilograms)
                try await write(request) { store, rules in
                    try rules.checkWeighing(of: try rules.delivery(id, in: store), weight)
                    try store.setWeighedWeight(weight, ofDelivery: id, contract: rules.contract.number)
                }
            }
            .texts(title: { DeliveriesTexts(locale: $0).weigh }, summary: { DeliveriesTexts(locale: $0).toWeigh }),
            Action(ActionName.cancel, "Deletes a delivery.", Self.delivery) { request, id in
                try await write(request) { store, rules in
                    _ = try rules.delivery(id, in: store)
                    try store.deleteDelivery(id, ofContract: rules.contract.number)
                }
            }
            .texts(title: { DeliveriesTexts(locale: $0).cancel }, summary: { DeliveriesTexts(locale: $0).toCancel }),
            Action(ActionName.restore, ExampleTexts.toRestore) { _ in
                try await store.write { try $0.restoreExamples() }
            }
            .texts(title: { ExampleTexts(locale: $0).restore }, summary: { ExampleTexts(locale: $0).toRestore }),
        ]
    }

    /// Changes deliveries in one transaction, in which the rules are known.
    private func write(
        _ request: ActionContext,
        _ change: @escaping @Sendable (inout any DeliveriesTransaction, DeliveriesRules) throws -> Void
    ) async throws {
        let (number, texts) = (request[Self.contract], DeliveriesTexts(locale: request.locale))
        try await store.write { store in
            guard let contract = try store.contract(number) else {
                throw DeliveriesRecords.noContract(number, known: try store.contractNames(), texts)
            }
            let totals = try store.deliveryTotals(ofContract: number)
            try change(&store, DeliveriesRules(contract: contract, totals: totals, texts: texts))
        }
    }
}
