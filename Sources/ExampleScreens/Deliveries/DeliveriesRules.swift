import ExampleRecords
import ScreenService

/// The rules of what may be done with the deliveries of a contract, as one transaction knows it.
struct DeliveriesRules {
    let contract: Contract
    let totals: DeliveryTotals
    let format: DeliveriesFormat

    /// Weighings may exceed the contracted weight by 5 % in all.
    private var weighingLimit: Weight { contract.contractedWeight.percent(105) }

    /// - Throws: `BrokenRules` where the contract has no such delivery.
    func delivery(_ id: String, in store: DeliveriesTransaction) throws -> Delivery {
        guard let delivery = try store.delivery(id, ofContract: contract.number) else {
            let detail = Text("There is no delivery \(id) any more.", fr: "Il n’y a plus de livraison \(id).")
            throw BrokenRules([BrokenRule(field: Deliveries.delivery.name, detail.in(format.locale))])
        }
        return delivery
    }

    /// - Throws: every rule that another delivery would break.
    func checkSchedule(_ day: CalendarDay, _ weight: Weight) throws(BrokenRules) {
        let room = max(contract.contractedWeight - totals.scheduledWeight, .zero)
        let detail = Text(
            "Scheduled deliveries may not exceed the contracted weight; there is room for \(format.text(room)).",
            fr: "Les livraisons prévues ne peuvent dépasser le poids contractuel ; il reste \(format.text(room))."
        )
        let overWeight = BrokenRule(field: Deliveries.kilograms.name, detail.in(format.locale))
        let broken = broken(by: day) + (weight > room ? [overWeight] : [])
        if !broken.isEmpty { throw BrokenRules(broken) }
    }

    /// - Throws: that deliveries do not go to that day.
    func check(_ day: CalendarDay) throws(BrokenRules) {
        let broken = broken(by: day)
        if !broken.isEmpty { throw BrokenRules(broken) }
    }

    /// - Throws: that this would be too much in all.
    func checkWeighing(of delivery: Delivery, _ weight: Weight) throws(BrokenRules) {
        let others = totals.weighedWeight - (delivery.weighedWeight ?? .zero)
        guard others + weight > weighingLimit else { return }
        let room = format.text(max(weighingLimit - others, .zero))
        let detail = Text(
            "All weighings together may exceed the contracted weight by 5 %; this one may be \(room).",
            fr: "Les pesées peuvent dépasser le poids contractuel de 5 % au plus ; celle-ci peut atteindre \(room)."
        )
        throw BrokenRules([BrokenRule(field: Deliveries.kilograms.name, detail.in(format.locale))])
    }

    private func broken(by day: CalendarDay) -> [BrokenRule] {
        guard !contract.window.contains(day) else { return [] }
        let window = format.text(contract.window)
        let detail = Text(
            "The day must be within the delivery window, \(window).",
            fr: "Le jour doit être dans la période de livraison, \(window)."
        )
        return [BrokenRule(field: Deliveries.day.name, detail.in(format.locale))]
    }
}
