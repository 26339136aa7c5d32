import ScreenService
import Storage

/// Holds what ``Deliveries`` shows, as one transaction read it.
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
    /// - Throws: ``ScreenError/noSuchValue(parameter:detail:)`` where there is no such contract.
    init(ofContract number: String, from firstDay: CalendarDay?, in store: any StoreReading) throws {
        guard let contract = try store.contract(number) else {
            throw Self.noContract(number, known: try store.contractNames())
        }
        self.contract = contract
        totals = try store.deliveryTotals(ofContract: number)
        deliveries = try store.deliveries(ofContract: number, from: firstDay)
    }

    static func noContract(_ number: String, known contracts: [ContractName]) -> ScreenError {
        let known = contracts.map(\.number).joined(separator: ", ")
        let help = (1...10).contains(contracts.count) ? " Known are \(known)." : ""
        return .noSuchValue(parameter: Deliveries.contract.name, detail: "There is no contract \(number).\(help)")
    }
}
