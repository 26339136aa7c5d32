import ScreenWire
import Testing

/// The content of a screen that shows one contract. It is read from a snapshot.
struct ContractPage {
    struct Delivery: Hashable {
        let id: String
        let kilograms: Int
        let isWeighed: Bool
    }

    let deliveries: [Delivery]
    private let days: [(total: Int?, deliveries: [Delivery])]
    private let contracted: Int?
    private let delivered: Int?

    init(_ snapshot: JSONValue) throws {
        let sections = try #require(snapshot["sections"]).elements
        days = sections.filter { $0["header"]?["type"]?.text == "day" }.map { section in
            (section["header"]?["kilograms"]?.integer, (section["cells"]?.elements ?? []).compactMap(Delivery.init))
        }
        deliveries = days.flatMap(\.deliveries)
        let cells = sections.flatMap { $0["cells"]?.elements ?? [] }
        contracted = cells.first { $0["id"]?.text == "contracted" }?["kilograms"]?.integer
        delivered = cells.first { $0["id"]?.text == "delivered" }?["kilograms"]?.integer
    }

    var kilograms: Int { deliveries.reduce(0) { $0 + $1.kilograms } }
    var weighedKilograms: Int { deliveries.filter(\.isWeighed).reduce(0) { $0 + $1.kilograms } }

    /// Expects that the deliveries do not exceed the contract, and that the totals on the screen are the sums of the deliveries.
    ///
    /// - Parameter isWhole: true if the screen shows all deliveries of the contract.
    func expectRules(isWhole: Bool) throws {
        let (contracted, delivered) = (try #require(contracted), try #require(delivered))
        #expect(kilograms - weighedKilograms <= contracted)
        #expect(delivered <= contracted * 105 / 100)
        if isWhole { expectTotals() } else { expectTotalsOfDays() }
    }

    /// Expects that the totals on the screen are the sums of the shown deliveries.
    func expectTotals(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(delivered == weighedKilograms, sourceLocation: sourceLocation)
        expectTotalsOfDays(sourceLocation: sourceLocation)
    }

    private func expectTotalsOfDays(sourceLocation: SourceLocation = #_sourceLocation) {
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
