import ExampleRecords
import ScreenService

/// What ``Deliveries`` shows, as one transaction read it.
struct DeliveriesRecords {
    let contract: Contract
    /// Of all deliveries, also those that are not shown.
    let totals: DeliveryTotals
    /// Those that are shown, ordered by day.
    let deliveries: [Delivery]

    /// The deliveries of each day that has any, in the order of the days.
    var days: [(day: CalendarDay, deliveries: [Delivery])] {
        Dictionary(grouping: deliveries, by: \.day).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension DeliveriesRecords {
    /// - Throws: `ScreenError.noSuchValue` where there is no such contract.
    init(
        ofContract number: String, from firstDay: CalendarDay?, in store: DeliveriesTransaction, _ locale: ScreenLocale
    ) throws {
        guard let contract = try store.contract(number) else {
            throw Self.noContract(number, known: try store.contractNames(), locale)
        }
        self.contract = contract
        totals = try store.deliveryTotals(ofContract: number)
        deliveries = try store.deliveries(ofContract: number, from: firstDay)
    }

    static func noContract(_ number: String, known contracts: [ContractName], _ locale: ScreenLocale) -> ScreenError {
        let known = contracts.map(\.number).joined(separator: ", ")
        let isListed = (1...10).contains(contracts.count)
        let detail = Text(
            "There is no contract \(number)." + (isListed ? " Known are \(known)." : ""),
            fr: "Le contrat \(number) n’existe pas." + (isListed ? " On connaît \(known)." : "")
        )
        return .noSuchValue(parameter: Deliveries.contract.name, detail: detail.in(locale))
    }
}
