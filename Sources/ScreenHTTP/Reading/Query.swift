import HTTPServer
import ScreenService

/// Is what a query string says: the protocol's parameters, and those of the screen.
///
/// Its faults are kept, not thrown, so that they can be told together with those of the screen's parameters.
struct Query {
    /// What `version` says; nil where it does not stand.
    private(set) var version: String?
    private(set) var locale: ScreenLocale?
    /// All others, in order.
    private(set) var parameters: [(name: String, value: String)] = []
    private(set) var faults = QueryFaults()

    /// - Parameter locales: those that there are.
    init(_ query: Substring?, locales: [ScreenLocale]) {
        // By bytes: to find characters would cost more than all the rest.
        for pair in query?.utf8.split(separator: UInt8(ascii: "&")) ?? [] {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = PercentEncoding.decode(Substring(pair[..<end]), plusIsSpace: true)
            let value = PercentEncoding.decode(Substring(pair[end...].dropFirst()), plusIsSpace: true)
            guard let name, let value else {
                faults.add(String(Substring(pair[..<end])), "It is not percent-encoded UTF-8.")
                continue
            }
            take(name, value, locales)
        }
    }

    private mutating func take(_ name: String, _ value: String, _ locales: [ScreenLocale]) {
        switch name {
        case "version" where version != nil, "locale" where locale != nil:
            faults.add(name, "It stands in the query more than once; send it once.")
        case "version":
            version = value
        case "locale":
            locale = locales.first { $0.isMeant(by: value) }
            if locale == nil {
                let known = locales.map(\.language).joined(separator: ", ")
                faults.add(name, "There is no such language here; send one of \(known).")
            }
        default:
            parameters.append((name, value))
        }
    }
}

/// Says all that is wrong with a query, and what to send instead.
struct QueryFaults: Error {
    /// Of the protocol's parameters.
    private(set) var faults: [(parameter: String, detail: String)] = []
    /// Of the screen's parameters, and of those that are neither.
    var ofScreen: [ParameterFault] = []

    var isEmpty: Bool { faults.isEmpty && ofScreen.isEmpty }

    mutating func add(_ parameter: String, _ detail: String) {
        faults.append((parameter, detail))
    }
}
