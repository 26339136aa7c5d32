public import ExampleRecords
import ScreenModel
public import ScreenService

/// A screen that shows a grain contract and its deliveries, grouped by day.
struct Deliveries: Screen {
    typealias Model = TableViewModel<DayHeader, AnyCell>

    static let name = "deliveries"
    static let contract = Parameter.text(
        "contract", title: Text("Contract", fr: "Contrat"), default: "240189-000",
        Text("The number of the contract to show.", fr: "Le numéro du contrat à afficher.")
    )
    .example("240311-000")
    static let from = Parameter<CalendarDay?>.date(
        "from", title: Text("From", fr: "À partir du"),
        Text("Leaves out the days before this one.", fr: "Laisse de côté les jours d’avant.")
    )
    static var cellTypes: [any ViewContent.Type]? { [DetailCell.self, WeightCell.self, ScheduleCell.self, DeliveryCell.self] }
    static var example: ScreenExample? { ScreenExample(source: #filePath, restoration: restore.name) }

    let title = Text("Deliveries", fr: "Livraisons")
    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [contract, from]
    let actions = [schedule, reschedule, weigh, cancel, restore]
    let store: Store<DeliveriesTransaction>

    var values: [ParameterValues] {
        [
            ParameterValues(of: Self.contract) { _, _ in
                try await store.read { try $0.contractNames().map { ParameterValue($0.number, title: $0.name) } }
            }
        ]
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let (number, firstDay, locale) = (request[Self.contract], request[Self.from], request.locale)
        let records = try await store.read { try DeliveriesRecords(ofContract: number, from: firstDay, in: $0, locale) }
        return ScreenContent(title: records.contract.name, model: Self.model(of: records, in: locale))
    }

    static func model(of records: DeliveriesRecords, in locale: ScreenLocale) -> Model {
        let format = DeliveriesFormat.of(locale)
        return Model {
            Model.Section(id: "contract") { contractCells(of: records, format) }
            for (day, deliveries) in records.days {
                Model.Section(id: day.description, header: DayHeader(day, deliveries, format), entities: deliveries) {
                    DeliveryCell(delivery: $0, format: format)
                }
            }
        }
    }

    @ListBuilder<AnyCell>
    private static func contractCells(of records: DeliveriesRecords, _ format: DeliveriesFormat) -> [AnyCell] {
        let (contract, locale) = (records.contract, format.locale)
        let (opens, closes) = (contract.window.lowerBound, contract.window.upperBound)
        DetailCell(id: "number", label: Text("Number", fr: "Numéro").in(locale), value: contract.number)
        DetailCell(id: "date", label: "Date", value: format.text(contract.date), raw: contract.date.description)
        DetailCell(
            id: "status", label: Text("Status", fr: "Statut").in(locale), value: contract.status.title.in(locale),
            raw: contract.status.rawValue
        )
        WeightCell(id: "contracted", Text("Contracted", fr: "Poids contractuel"), contract.contractedWeight, format)
        WeightCell(id: "delivered", Text("Delivered so far", fr: "Livré à ce jour"), records.totals.weighedWeight, format)
        DetailCell(
            id: "window", label: Text("Delivery window", fr: "Période de livraison").in(locale),
            value: format.text(contract.window), raw: "\(opens)/\(closes)"
        )
        ScheduleCell(label: schedule.title(in: locale), day: opens)
    }
}

extension ExampleScreens {
    /// Creates the screen of a grain contract and its deliveries.
    public static func deliveries(store: Store<DeliveriesTransaction>) -> any Screen {
        Deliveries(store: store)
    }
}
