import ExampleRecords
import ScreenService

/// The rules for changes of a contract's deliveries. They are checked against records that one transaction has read.
struct DeliveriesRules {
    let contract: Contract
    let totals: DeliveryTotals
    let format: DeliveriesFormat

    func delivery(_ id: String, in store: DeliveriesTransaction) throws -> Delivery {
        if let delivery = try store.delivery(id, ofContract: contract.number) { return delivery }
        let detail = Text("There is no delivery \(id) any more.", fr: "Il n’y a plus de livraison \(id).")
        throw BrokenRules([broken(Deliveries.delivery, detail)])
    }

    func check(_ results: BrokenRule?...) throws(BrokenRules) {
        let broken = results.compactMap(\.self)
        if !broken.isEmpty { throw BrokenRules(broken) }
    }

    func window(contains day: CalendarDay) -> BrokenRule? {
        if contract.window.contains(day) { return nil }
        let detail = Text(
            "The day must be within the delivery window, \(format.text(contract.window)).",
            fr: "Le jour doit être dans la période de livraison, \(format.text(contract.window))."
        )
        return broken(Deliveries.day, detail)
    }

    func room(for weight: Weight) -> BrokenRule? {
        let room = max(contract.contractedWeight - totals.scheduledWeight, .zero)
        let detail = Text(
            "Scheduled deliveries may not exceed the contracted weight; there is room for \(format.kilograms(room)).",
            fr: "Les livraisons prévues ne peuvent dépasser le poids contractuel ; il reste \(format.kilograms(room))."
        )
        return weight <= room ? nil : broken(Deliveries.kilograms, detail)
    }

    /// Returns a broken rule if the total of all weighings would exceed 105 % of the contracted weight.
    func weighing(_ weight: Weight, of delivery: Delivery) -> BrokenRule? {
        let others = totals.weighedWeight - (delivery.weighedWeight ?? .zero)
        let limit = contract.contractedWeight.percent(105)
        let room = format.kilograms(max(limit - others, .zero))
        let detail = Text(
            "All weighings together may exceed the contracted weight by 5 %; this one may be \(room).",
            fr: "Les pesées peuvent dépasser le poids contractuel de 5 % au plus ; celle-ci peut atteindre \(room)."
        )
        return others + weight <= limit ? nil : broken(Deliveries.kilograms, detail)
    }

    private func broken<Value>(_ field: Field<Value>, _ detail: Text) -> BrokenRule {
        BrokenRule(field: field.name, detail.in(format.locale))
    }
}
