import ExampleStores
import ScreenModel
import ScreenService

// The types of their views on the wire are `day`, `detail`, `weight`, `schedule`, `delivery`.
extension Deliveries {
    /// A day, and how much it brings.
    struct DayHeader: ViewContent, Equatable {
        let day: CalendarDay
        let deliveryCount: Int
        let weight: Weight
        let texts: DeliveriesTexts

        init(_ day: CalendarDay, _ deliveries: [Delivery], _ texts: DeliveriesTexts) {
            self.day = day
            deliveryCount = deliveries.count
            weight = deliveries.reduce(.zero) { $0 + $1.weight }
            self.texts = texts
        }

        var title: String { texts.day(day, count: deliveryCount, weight) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("kilograms", \.weight.kilograms)
        }
    }

    /// One fact of the contract.
    struct DetailCell: CellContent, Equatable {
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
    struct WeightCell: CellContent, Equatable {
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
    struct ScheduleCell: CellContent, Selectable, Equatable {
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
    struct DeliveryCell: CellContent, Equatable {
        let delivery: Delivery
        let texts: DeliveriesTexts

        init(_ delivery: Delivery, _ texts: DeliveriesTexts) {
            self.delivery = delivery
            self.texts = texts
        }

        var id: String { delivery.id }

        var actions: [OfferedAction] {
            let itself = InputValue.string(delivery.id)
            return [
                OfferedAction(
                    ActionName.weigh, title: texts.weigh,
                    input: [Deliveries.delivery.name: itself, Deliveries.kilograms.name: .int(delivery.weight.kilograms)]
                ),
                OfferedAction(
                    ActionName.reschedule, title: texts.reschedule,
                    input: [Deliveries.day.name: .string(delivery.day.description), Deliveries.delivery.name: itself]
                ),
                OfferedAction(
                    ActionName.cancel, title: texts.cancel, input: [Deliveries.delivery.name: itself], isDestructive: true
                ),
            ]
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("number", \.delivery.id)
            field("weight") { $0.texts.text($0.delivery.weight) }
            field("kilograms", \.delivery.weight.kilograms)
            field("status") { $0.delivery.isWeighed ? $0.texts.weighed : $0.texts.scheduled }
            field("isWeighed", \.delivery.isWeighed)
        }
    }
}

extension Delivery {
    var isWeighed: Bool { weighedWeight != nil }

    /// What is known best of its weight.
    fileprivate var weight: Weight { weighedWeight ?? scheduledWeight }
}
