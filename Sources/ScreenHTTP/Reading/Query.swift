import HTTPServer
import ScreenService

/// Is what a query string says: the protocol's parameters, and those of the screen.
struct Query {
    /// What `version` says; nil where it does not stand.
    private(set) var version: String?
    private(set) var locale: ScreenLocale?
    /// All others, in order.
    private(set) var parameters: [(name: String, value: String)] = []

    /// - Throws: every fault of the protocol's parameters at once.
    init(_ query: Substring?) throws(QueryFaults) {
        var faults = QueryFaults()
        // By bytes: to find characters would cost more than all the rest.
        for pair in query?.utf8.split(separator: UInt8(ascii: "&")) ?? [] {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = PercentEncoding.decode(Substring(pair[..<end]), plusIsSpace: true)
            let value = PercentEncoding.decode(Substring(pair[end...].dropFirst()), plusIsSpace: true)
            guard let name, let value else {
                faults.add(String(Substring(pair[..<end])), "It is not percent-encoded UTF-8.")
                continue
            }
            take(name, value, &faults)
        }
        if !faults.isEmpty { throw faults }
    }

    private mutating func take(_ name: String, _ value: String, _ faults: inout QueryFaults) {
        switch name {
        case "version" where version != nil, "locale" where locale != nil:
            faults.add(name, "It stands in the query more than once; send it once.")
        case "version":
            version = value
        case "locale":
            locale = ScreenLocale(tag: value)
            if locale == nil {
                let known = ScreenLocale.allCases.map(\.rawValue).joined(separator: ", ")
                faults.add(name, "There is no such language here; send one of \(known).")
            }
        default:
            parameters.append((name, value))
        }
    }
}

/// Says which of the protocol's parameters are wrong, and what to send instead.
struct QueryFaults: Error {
    private(set) var faults: [(parameter: String, detail: String)] = []

    var isEmpty: Bool { faults.isEmpty }

    fileprivate mutating func add(_ parameter: String, _ detail: String) {
        faults.append((parameter, detail))
    }
}
