import ScreenModel

// The type of a field has no JSON form.

struct CookingCell: CellContent {
    let id: String
    let duration: Duration
    let rest: Duration?

    static func fields(_ field: inout some FieldVisitor<Self>) {
        // error: A field must be a `Bool`, `Int`, `Double`, `String`, `JSONValue`, an enum that conforms to `ContentValue`, a type that
        // conforms to `Content`, or an optional, an array or a dictionary of those. Convert any other value in a closure:
        // `field("price") { $0.price.description }`.
        field("duration", \.duration)
        // error: A field must be a `Bool`, `Int`, `Double`, `String`, `JSONValue`, an enum that conforms to `ContentValue`, a type that
        // conforms to `Content`, or an optional, an array or a dictionary of those. Convert any other value in a closure:
        // `field("price") { $0.price.description }`.
        field("rest", \.rest)
    }
}
