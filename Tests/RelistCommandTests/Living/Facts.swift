import ScreenWire

/// What a document of a screen says of the records that clients write, each fact under a name.
struct Facts {
    private(set) var values: [String: String] = [:]

    /// - Parameter isWhole: whether all of the records are shown, and not only those from some day on.
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

/// What a commit did to a fact.
enum Deed: Hashable {
    case set(String, String)
    case add(String, Int)
    /// There is nothing of that name any more.
    case end(String)

    var name: String {
        switch self {
        case .set(let name, _), .add(let name, _), .end(let name): name
        }
    }

    /// What an action does where it is performed.
    static func all(of action: String, with input: JSONValue, asking query: String) -> [Deed] {
        let contract = query.firstMatch(of: #/contract=([^&]+)/#).map { String($0.1) } ?? ""
        let delivery = input["delivery"]?.text ?? ""
        switch action {
        case "weigh": return [.set(FactName.weight(of: delivery, contract), input["kilograms"]?.integer.map(String.init) ?? "")]
        case "reschedule": return [.set(FactName.day(of: delivery, contract), input["day"]?.text ?? "")]
        // Its id is for the server to choose.
        case "schedule": return [.add(FactName.count(of: contract), 1)]
        case "cancel":
            let names = [FactName.weight(of: delivery, contract), FactName.day(of: delivery, contract)]
            return names.map(Deed.end) + [.add(FactName.count(of: contract), -1)]
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
