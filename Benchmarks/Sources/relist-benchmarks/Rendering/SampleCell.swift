import ScreenModel

/// A typical cell with six fields and about 120 bytes of JSON.
struct SampleCell: CellContent, Encodable {
    let id: String
    let title: String
    let subtitle: String
    let weight: Double
    let count: Int
    let isDone: Bool

    init(number: Int) {
        id = "7534-\(number)"
        title = "Delivery \(number)"
        subtitle = "Thursday, July 12"
        weight = Double(number) + 0.766
        count = number % 17
        isDone = number % 3 == 0
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
        field("subtitle", \.subtitle)
        field("weight", \.weight)
        field("count", \.count)
        field("isDone", \.isDone)
    }
}
