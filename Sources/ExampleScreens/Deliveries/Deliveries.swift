public import ExampleStores
import ScreenModel
public import ScreenService

/// A grain contract and what is delivered of it, day by day.
struct Deliveries: Screen {
    typealias Model = TableViewModel<DayHeader, AnyCell>

    static let name = "deliveries"
    static var cellTypes: [any ViewContent.Type]? { [DetailCell.self, WeightCell.self, ScheduleCell.self, DeliveryCell.self] }

    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [contract, from]
    static var example: ScreenExample? { ScreenExample(source: #filePath, restoration: ActionName.restore) }
    let store: any Store<any DeliveriesTransaction>

    var values: [ParameterValues] {
        [
            ParameterValues(of: Self.contract) { _, _ in
                try await store.read { try $0.contractNames().map { ParameterValue($0.number, title: $0.name) } }
            }
        ]
    }

    func title(in locale: ScreenLocale) -> String {
        DeliveriesTexts(locale: locale).title
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let (number, firstDay) = (request[Self.contract], request[Self.from])
        let texts = DeliveriesTexts(locale: request.locale)
        let records = try await store.read { try DeliveriesRecords(ofContract: number, from: firstDay, in: $0, texts) }
        return ScreenContent(
            title: records.contract.name,
            model: Self.model(of: records, in: request.locale)
        )
    }

    static func model(of records: DeliveriesRecords, in locale: ScreenLocale) -> Model {
        let texts = DeliveriesTexts(locale: locale)
        return Model {
            Model.Section(id: "contract") { contractCells(of: records, texts) }
            for (day, deliveries) in records.days {
                Model.Section(id: day.description, header: DayHeader(day, deliveries, texts), entities: deliveries) {
                    DeliveryCell($0, texts)
                }
            }
        }
    }

    @ListBuilder<AnyCell>
    private static func contractCells(of records: DeliveriesRecords, _ texts: DeliveriesTexts) -> [AnyCell] {
        let contract = records.contract
        let (opens, closes) = (contract.window.lowerBound, contract.window.upperBound)
        DetailCell(id: "number", label: texts.number, value: contract.number)
        DetailCell(id: "date", label: texts.date, value: texts.text(contract.date), raw: contract.date.description)
        DetailCell(
            id: "status", label: texts.status, value: texts.text(contract.status), raw: contract.status.rawValue
        )
        WeightCell(id: "contracted", label: texts.contracted, contract.contractedWeight, texts)
        WeightCell(id: "delivered", label: texts.delivered, records.totals.weighedWeight, texts)
        DetailCell(
            id: "window", label: texts.window, value: texts.text(contract.window), raw: "\(opens)/\(closes)"
        )
        ScheduleCell(label: texts.schedule, day: opens)
    }
}

extension ExampleScreens {
    /// A grain contract, and what is delivered of it.
    public static func deliveries(store: any Store<any DeliveriesTransaction>) -> any Screen {
        Deliveries(store: store)
    }
}

extension Deliveries {
    static let contract = Parameter.text("contract", default: "240189-000", "The number of the contract to show.")
        .example("240311-000")
        .texts { DeliveriesTexts(locale: $0).contractParameter }

    static let from = Parameter<CalendarDay?>.date("from", "Leaves out the days before this one.")
        .texts { DeliveriesTexts(locale: $0).fromParameter }
}
