import ExampleRecords
import ScreenService

/// The records that ``Deliveries`` shows. They are read in one transaction.
struct DeliveriesRecords {
    let contract: Contract
    /// The sums over all deliveries of the contract, including deliveries that are not shown.
    let totals: DeliveryTotals
    let deliveries: [Delivery]

    var days: [(day: CalendarDay, deliveries: [Delivery])] {
        Dictionary(grouping: deliveries, by: \.day).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension DeliveriesRecords {
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
        let detail = Text("There is no contract \(number).", fr: "Le contrat \(number) n’existe pas.")
        return .unknownValue(of: Deliveries.contract, detail, existing: contracts.map(\.number), in: locale)
    }
}
