import ExampleStores
import ScreenService

extension Deliveries {
    static let contract = Parameter.text("contract", default: "240189-000", "The number of the contract to show.")

    static let from = Parameter<CalendarDay?>.date("from", "Leaves out the days before this one.")
}
