import ExampleRecords
import ScreenModel
import ScreenService

extension Deliveries {
    static let delivery = Field.text("delivery", Text("Delivery", fr: "Livraison"), source: .cell).example("7512-1")
    static let day = Field<CalendarDay>.date("day", Text("Day", fr: "Jour")).example("2018-07-12")
    static let kilograms = Field.integer("kilograms", Text("Weight in kg", fr: "Poids en kg"), in: 1...100_000)

    static let schedule = Action(
        "schedule", title: Text("Schedule a delivery", fr: "Prévoir une livraison"),
        Text("Adds a delivery on a day.", fr: "Ajoute une livraison à un jour."), day, kilograms
    ) { (deliveries: Deliveries, request, day, kilograms) in
        let weight = Weight(kilograms: kilograms)
        try await deliveries.write(request) { store, rules in
            try rules.check(rules.window(contains: day), rules.room(for: weight))
            let delivery = Delivery(
                id: try store.newDeliveryID(), contract: rules.contract.number, day: day, scheduledWeight: weight
            )
            try store.insertDelivery(delivery)
        }
    }

    static let reschedule = Action(
        "reschedule", title: Text("Move to another day", fr: "Changer de jour"),
        Text("Moves a delivery to another day.", fr: "Met une livraison à un autre jour."), delivery, day
    ) { (deliveries: Deliveries, request, id, day) in
        try await deliveries.write(request) { store, rules in
            _ = try rules.delivery(id, in: store)
            try rules.check(rules.window(contains: day))
            try store.changeDelivery(id, ofContract: rules.contract.number) { $0.day = day }
        }
    }

    static let weigh = Action(
        "weigh", title: Text("Weigh", fr: "Peser"),
        Text("Says what the weighbridge found.", fr: "Dit ce que le pont-bascule a trouvé."), delivery, kilograms
    ) { (deliveries: Deliveries, request, id, kilograms) in
        let weight = Weight(kilograms: kilograms)
        try await deliveries.write(request) { store, rules in
            try rules.check(rules.weighing(weight, of: try rules.delivery(id, in: store)))
            try store.changeDelivery(id, ofContract: rules.contract.number) { $0.weighedWeight = weight }
        }
    }

    static let cancel = Action(
        "cancel", title: Text("Delete delivery", fr: "Supprimer la livraison"),
        Text("Deletes a delivery.", fr: "Supprime une livraison."), delivery
    ) { (deliveries: Deliveries, request, id) in
        try await deliveries.write(request) { store, rules in
            _ = try rules.delivery(id, in: store)
            try store.deleteDelivery(id, ofContract: rules.contract.number)
        }
    }

    static let restore = Action("restore", title: Restoring.title, Restoring.summary) { (deliveries: Deliveries, _) in
        try await deliveries.store.write { try $0.restoreExamples() }
    }

    private func write(
        _ request: ActionContext,
        _ change: @escaping @Sendable (inout DeliveriesTransaction, DeliveriesRules) throws -> Void
    ) async throws {
        let (number, locale) = (request[Self.contract], request.locale)
        try await store.write { store in
            guard let contract = try store.contract(number) else {
                throw DeliveriesRecords.noContract(number, known: try store.contractNames(), locale)
            }
            let totals = try store.deliveryTotals(ofContract: number)
            try change(&store, DeliveriesRules(contract: contract, totals: totals, format: .of(locale)))
        }
    }
}
