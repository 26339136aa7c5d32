import ScreenModel

// Values of a small screen that the tests of several folders build their models of.

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

/// The JSON that a value is written as.
func written(_ value: some ContentValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
