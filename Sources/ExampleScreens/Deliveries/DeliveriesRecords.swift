import ExampleRecords
import ScreenService

/// The records that ``Deliveries`` shows. They are read in one transaction.
struct DeliveriesRecords {
    let contract: Contract
    /// The sums over all deliveries of the contract, including deliveries that are not shown.
    let totals: DeliveryTotals
    /// The deliveries to show, ordered by day.
    let deliveries: [Delivery]

    /// The deliveries grouped by day, in the order of the days. Days without deliveries are omitted.
    var days: [(day: CalendarDay, deliveries: [Delivery])] {
        Dictionary(grouping: deliveries, by: \.day).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension DeliveriesRecords {
    /// Reads a contract and its deliveries, or throws `ScreenError.noSuchValue` if there is no such contract.
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
