import ScreenModel

// Cells and headers that are used by tests in several folders.

struct DayHeader: ViewContent, Hashable {
    var day: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("day", \.day)
    }
}

struct DeliveryCell: CellContent, Hashable {
    var id: String
    var tonnes = 0.0

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("tonnes", \.tonnes)
    }
}

struct AlbumCell: CellContent, Sized, Selectable, Hashable {
    var id: String

    var whenSelected: Selection {
        .link(ScreenLink("artist", parameters: ["album": id]))
    }

    var actions: [OfferedAction] { [OfferedAction("hide", title: "Hide")] }

    func preferredSize(in frame: Size) -> Size {
        Size(width: frame.width.map { $0 / 2 }, height: 120)
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

/// Returns the JSON of a value.
func written(_ value: some ContentValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
