import ScreenWire
import Testing

/// Is what the screen of a contract says, read back from its snapshot.
struct ContractPage {
    struct Delivery: Hashable {
        let id: String
        let kilograms: Int
        let isWeighed: Bool
    }

    let deliveries: [Delivery]
    private let days: [(total: Int?, deliveries: [Delivery])]
    private let delivered: Int?

    init(_ snapshot: JSONValue) throws {
        let sections = try #require(snapshot["sections"]).elements
        days = sections.filter { $0["header"]?["type"]?.text == "day" }.map { section in
            (section["header"]?["kilograms"]?.integer, (section["cells"]?.elements ?? []).compactMap(Delivery.init))
        }
        deliveries = days.flatMap(\.deliveries)
        let cells = sections.flatMap { $0["cells"]?.elements ?? [] }
        delivered = cells.first { $0["id"]?.text == "delivered" }?["kilograms"]?.integer
    }

    var kilograms: Int { deliveries.reduce(0) { $0 + $1.kilograms } }
    var weighedKilograms: Int { deliveries.filter(\.isWeighed).reduce(0) { $0 + $1.kilograms } }

    /// Expects that the totals that it shows are those of the deliveries that it shows.
    func expectTotals(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(delivered == weighedKilograms, sourceLocation: sourceLocation)
        for day in days {
            #expect(day.total == day.deliveries.reduce(0) { $0 + $1.kilograms }, sourceLocation: sourceLocation)
        }
    }
}

extension ContractPage.Delivery {
    fileprivate init?(_ cell: JSONValue) {
        guard cell["type"]?.text == "delivery", let id = cell["id"]?.text else { return nil }
        guard let kilograms = cell["kilograms"]?.integer else { return nil }
        self.init(id: id, kilograms: kilograms, isWeighed: cell["isWeighed"] == .bool(true))
    }
}

extension JSONValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
