import ScreenService
import Storage

extension Deliveries {
    static let contract = Parameter(
        "contract", shape: "a text of at most 100 characters", "The number of the contract to show.",
        default: "240189-000", defaultText: "240189-000",
        parse: { $0.count <= 100 ? $0 : nil }, format: { $0 }
    )

    static let from = Parameter<CalendarDay?>(
        "from", shape: "a date such as 2018-07-12", "Leaves out the days before this one.",
        default: nil, defaultText: nil,
        // Without `map`, a text that is no date would become the value nil instead of none.
        parse: { CalendarDay($0).map(Optional.some) }, format: { $0?.description ?? "" }
    )
}
