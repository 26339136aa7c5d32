import ExampleStores
import ScreenService

/// The rules of what may be done with the deliveries of a contract, as one transaction knows it.
struct DeliveriesRules {
    let contract: Contract
    let totals: DeliveryTotals
    let texts: DeliveriesTexts

    /// Weighings may exceed the contracted weight by 5 % in all.
    private var weighingLimit: Weight { contract.contractedWeight.percent(105) }

    /// - Throws: `BrokenRules` where the contract has no such delivery.
    func delivery(_ id: String, in store: any DeliveriesTransaction) throws -> Delivery {
        guard let delivery = try store.delivery(id, ofContract: contract.number) else {
            throw BrokenRules([BrokenRule(field: Deliveries.delivery.name, texts.noDelivery(id))])
        }
        return delivery
    }

    /// - Throws: every rule that another delivery would break.
    func checkSchedule(_ day: CalendarDay, _ weight: Weight) throws(BrokenRules) {
        let room = max(contract.contractedWeight - totals.scheduledWeight, .zero)
        let overWeight = BrokenRule(field: Deliveries.kilograms.name, texts.overContracted(room))
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
        let room = max(weighingLimit - others, .zero)
        throw BrokenRules([BrokenRule(field: Deliveries.kilograms.name, texts.overTolerance(room))])
    }

    private func broken(by day: CalendarDay) -> [BrokenRule] {
        guard !contract.window.contains(day) else { return [] }
        return [BrokenRule(field: Deliveries.day.name, texts.outside(contract.window))]
    }
}
