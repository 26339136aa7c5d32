import ExampleStores
import ScreenModel
import ScreenService

// The types of their views on the wire are `day`, `detail`, `weight`, `schedule`, `delivery`.
extension Deliveries {
    /// A day, and how much it brings.
    struct DayHeader: ViewContent {
        let title: String
        let weight: Weight

        init(_ day: CalendarDay, _ deliveries: [Delivery], _ texts: DeliveriesTexts) {
            weight = deliveries.reduce(.zero) { $0 + $1.weight }
            title = texts.day(day, count: deliveries.count, weight)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("kilograms", \.weight.kilograms)
        }
    }

    /// One fact of the contract.
    struct DetailCell: CellContent {
        let id: String
        let label: String
        let value: String
        /// The value as programs read it, the same in every language.
        var raw: String?

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("raw", \.raw)
        }
    }

    /// A weight of the whole contract.
    struct WeightCell: CellContent {
        let id: String
        let label: String
        let value: String
        let weight: Weight

        init(id: String, label: String, _ weight: Weight, _ texts: DeliveriesTexts) {
            (self.id, self.label, self.weight) = (id, label, weight)
            value = texts.text(weight)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("value", \.value)
            field("kilograms", \.weight.kilograms)
        }
    }

    /// The offer to schedule another delivery.
    struct ScheduleCell: CellContent, Selectable {
        let id = "schedule"
        let label: String
        /// The day to begin with.
        let day: CalendarDay

        var whenSelected: Selection {
            .action(ScreenAction(ActionName.schedule, input: [Deliveries.day.name: .string(day.description)]))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
        }
    }

    /// One lorry load.
    struct DeliveryCell: CellContent {
        let delivery: Delivery
        let weight: String
        let status: String
        let actions: [OfferedAction]

        init(_ delivery: Delivery, _ texts: DeliveriesTexts) {
            self.delivery = delivery
            weight = texts.text(delivery.weight)
            status = delivery.isWeighed ? texts.weighed : texts.scheduled
            actions = Self.actions(on: delivery, texts)
        }

        private static func actions(on delivery: Delivery, _ texts: DeliveriesTexts) -> [OfferedAction] {
            let itself = [Deliveries.delivery.name: InputValue.string(delivery.id)]
            func input(_ name: String, _ value: InputValue) -> [String: InputValue] { itself.merging([name: value]) { $1 } }
            return [
                OfferedAction(
                    ActionName.weigh, title: texts.weigh,
                    input: input(Deliveries.kilograms.name, .int(delivery.weight.kilograms))
                ),
                OfferedAction(
                    ActionName.reschedule, title: texts.reschedule,
                    input: input(Deliveries.day.name, .string(delivery.day.description))
                ),
                OfferedAction(ActionName.cancel, title: texts.cancel, input: itself),
            ]
        }

        var id: String { delivery.id }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("number", \.delivery.id)
            field("weight", \.weight)
            field("kilograms", \.delivery.weight.kilograms)
            field("status", \.status)
            field("isWeighed", \.delivery.isWeighed)
        }
    }
}

extension Delivery {
    var isWeighed: Bool { weighedWeight != nil }

    /// What is known best of its weight.
    fileprivate var weight: Weight { weighedWeight ?? scheduledWeight }
}
