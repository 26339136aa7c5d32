import ExampleRecords
import ScreenModel
import ScreenService

// These views have the types `day`, `detail`, `weight`, `schedule` and `delivery` on the wire.
extension Deliveries {
    /// A header with a day, and the number and total weight of the deliveries on that day.
    struct DayHeader: ViewContent, Equatable {
        let day: CalendarDay
        let deliveryCount: Int
        let weight: Weight
        let format: DeliveriesFormat

        init(_ day: CalendarDay, _ deliveries: [Delivery], _ format: DeliveriesFormat) {
            self.day = day
            deliveryCount = deliveries.count
            weight = deliveries.reduce(.zero) { $0 + $1.weight }
            self.format = format
        }

        var title: String {
            let deliveries = deliveryCount == 1 ? Text("delivery", fr: "livraison") : Text("deliveries", fr: "livraisons")
            let count = "\(format.count(deliveryCount)) \(deliveries.in(format.locale))"
            return "\(format.text(day)) – \(count), \(format.text(weight))"
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("kilograms", \.weight.kilograms)
        }
    }

    /// A cell that shows a property of the contract.
    struct DetailCell: CellContent, Equatable {
        let id: String
        let label: String
        let value: String
        /// The value of the property for programs, such as `2018-07-12`. It does not depend on the language.
        var raw: String?

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("raw", \.raw)
        }
    }

    /// A cell that shows the contracted or the delivered weight of the contract.
    struct WeightCell: CellContent, Equatable {
        let id: String
        let label: String
        let value: String
        let weight: Weight

        init(id: String, _ label: Text, _ weight: Weight, _ format: DeliveriesFormat) {
            (self.id, self.label, self.weight) = (id, label.in(format.locale), weight)
            value = format.text(weight)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("kilograms", \.weight.kilograms)
        }
    }

    /// A button that schedules another delivery.
    struct ScheduleCell: CellContent, Selectable, Equatable {
        let id = "schedule"
        let label: String
        /// The day that the form for the new delivery proposes.
        let day: CalendarDay

        var whenSelected: Selection {
            .action(ScreenAction(schedule, input: [Deliveries.day.name: .string(day.description)]))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
        }
    }

    /// A cell that shows a delivery, which is a lorry load.
    struct DeliveryCell: CellContent, Equatable {
        // These texts are created only once and shared by all cells, because a long list has many cells.
        private static let weighed = Text("Weighed", fr: "Pesée")
        private static let scheduled = Text("Scheduled", fr: "Prévue")

        let delivery: Delivery
        let format: DeliveriesFormat

        var id: String { delivery.id }

        var actions: [OfferedAction] {
            let itself = JSONValue.string(delivery.id)
            return [
                OfferedAction(
                    weigh, in: format.locale,
                    input: [Deliveries.delivery.name: itself, Deliveries.kilograms.name: .int(delivery.weight.kilograms)]
                ),
                OfferedAction(
                    reschedule, in: format.locale,
                    input: [Deliveries.day.name: .string(delivery.day.description), Deliveries.delivery.name: itself]
                ),
                OfferedAction(cancel, in: format.locale, input: [Deliveries.delivery.name: itself], isDestructive: true),
            ]
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("number", \.delivery.id)
            field("weight") { $0.format.text($0.delivery.weight) }
            field("kilograms", \.delivery.weight.kilograms)
            field("status") { cell in (cell.delivery.isWeighed ? weighed : scheduled).in(cell.format.locale) }
            field("isWeighed", \.delivery.isWeighed)
        }
    }
}

extension Delivery {
    var isWeighed: Bool { weighedWeight != nil }

    fileprivate var weight: Weight { weighedWeight ?? scheduledWeight }
}

extension Contract.Status {
    var title: Text {
        switch self {
        case .agreed: Text("Agreed", fr: "Conclu")
        case .running: Text("Running", fr: "En cours")
        case .fulfilled: Text("Fulfilled", fr: "Honoré")
        case .discounted: Text("Discounted", fr: "Avec réfaction")
        case .paid: Text("Paid", fr: "Payé")
        }
    }
}
