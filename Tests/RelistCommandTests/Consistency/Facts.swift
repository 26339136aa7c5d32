import ScreenWire

/// The facts of a document about the records that clients write. Each fact has a name and a value.
struct Facts {
    private(set) var values: [String: String] = [:]

    /// Reads the facts of a document.
    ///
    /// - Parameter isWhole: true if the document shows all records; false if it omits records before a certain day.
    init(of document: JSONValue, isWhole: Bool) {
        switch document["screen"]?.text {
        case "deliveries"?: readDeliveries(document, isWhole)
        case "settings"?: readSettings(document)
        default: break
        }
    }

    private mutating func readDeliveries(_ document: JSONValue, _ isWhole: Bool) {
        let sections = document["sections"]?.elements ?? []
        let cells = sections.flatMap { $0["cells"]?.elements ?? [] }
        guard let contract = cells.first(where: { $0["id"]?.text == "number" })?["value"]?.text else { return }
        var count = 0
        for section in sections {
            for cell in section["cells"]?.elements ?? [] where cell["type"]?.text == "delivery" {
                guard let id = cell["id"]?.text else { continue }
                values[FactName.weight(of: id, contract)] = cell["kilograms"]?.integer.map(String.init)
                values[FactName.day(of: id, contract)] = section["id"]?.text
                count += 1
            }
        }
        if isWhole { values[FactName.count(of: contract)] = String(count) }
    }

    private mutating func readSettings(_ document: JSONValue) {
        for cell in (document["sections"]?.elements ?? []).flatMap({ $0["cells"]?.elements ?? [] }) {
            if let id = cell["id"]?.text, FactName.names.contains(id) { values[id] = cell["value"]?.text }
        }
    }
}

/// A change that a commit makes to a fact.
enum FactChange: Hashable {
    case set(String, String)
    case add(String, Int)
    /// The fact no longer exists.
    case remove(String)

    var name: String {
        switch self {
        case .set(let name, _), .add(let name, _), .remove(let name): name
        }
    }

    /// Returns the changes that an action makes to facts.
    static func all(of action: String, with input: JSONValue, query: String) -> [FactChange] {
        let contract = query.firstMatch(of: #/contract=([^&]+)/#).map { String($0.1) } ?? ""
        let delivery = input["delivery"]?.text ?? ""
        switch action {
        case "weigh": return [.set(FactName.weight(of: delivery, contract), input["kilograms"]?.integer.map(String.init) ?? "")]
        case "reschedule": return [.set(FactName.day(of: delivery, contract), input["day"]?.text ?? "")]
        // The server chooses the id of the delivery, so only the count of deliveries is known.
        case "schedule": return [.add(FactName.count(of: contract), 1)]
        case "cancel":
            let names = [FactName.weight(of: delivery, contract), FactName.day(of: delivery, contract)]
            return names.map(FactChange.remove) + [.add(FactName.count(of: contract), -1)]
        case "rename": return FactName.names.compactMap { name in input[name]?.text.map { .set(name, $0) } }
        default: return []
        }
    }
}

private enum FactName {
    static let names = ["firstName", "familyName"]

    static func weight(of delivery: String, _ contract: String) -> String { "weight of \(delivery) in \(contract)" }
    static func day(of delivery: String, _ contract: String) -> String { "day of \(delivery) in \(contract)" }
    static func count(of contract: String) -> String { "count in \(contract)" }
}
