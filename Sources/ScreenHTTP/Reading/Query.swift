import ScreenService

/// What a query string says: the protocol's parameters, and those of a screen.
///
/// Its faults are kept, not thrown, so that they can be told together with those of the screen's parameters.
struct Query: Sendable {
    /// What `version` says; nil where it does not stand.
    private(set) var version: String?
    private(set) var locale: ScreenLocale?
    /// What `revision` says; which there are, the screen knows.
    private(set) var revision: String?
    /// The value of `position`, of any shape.
    private(set) var position: String?
    /// All others, in order.
    private(set) var parameters: [(name: String, value: String)] = []
    private(set) var faults: [ParameterFault] = []
    private var named: Set<ProtocolParameter> = []

    /// - Parameter locales: those that there are.
    init(_ query: Substring?, by rule: QueryRule, locales: [ScreenLocale]) {
        guard let query, rule != .ignored else { return }
        // By bytes: to find characters would cost more than all the rest.
        var rest = query.utf8
        while let byte = rest.first {
            if byte == UInt8(ascii: "&") {
                rest.removeFirst()
            } else {
                let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
                take(rest[..<end], locales)
                rest = rest[end...]
            }
        }
        check(against: rule)
    }

    private mutating func take(_ pair: Substring.UTF8View, _ locales: [ScreenLocale]) {
        let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        let name = PercentEncoding.decode(Substring(pair[..<end]), plusIsSpace: true)
        let value = PercentEncoding.decode(Substring(pair[end...].dropFirst()), plusIsSpace: true)
        guard let name, let value else {
            return faults.append(ParameterFault(name: String(Substring(pair[..<end])), cause: .undecodable))
        }
        if let parameter = ProtocolParameter(rawValue: name) {
            take(parameter, value, locales)
        } else {
            parameters.append((name, value))
        }
    }

    private mutating func take(_ parameter: ProtocolParameter, _ value: String, _ locales: [ScreenLocale]) {
        guard named.insert(parameter).inserted else {
            faults.append(ParameterFault(name: parameter.rawValue, cause: .repeated))
            return
        }
        switch parameter {
        case .version: version = value
        case .revision: revision = value
        case .position: position = value
        case .locale:
            locale = locales.first { $0.isMeant(by: value[...]) }
            if locale == nil {
                let known = locales.map(\.language)
                faults.append(ParameterFault(name: parameter.rawValue, cause: .unknownLanguage(known: known)))
            }
        }
    }

    /// What a screen takes, it knows itself.
    private mutating func check(against rule: QueryRule) {
        switch rule {
        case .ignored: break
        case .ofScreen(let taken):
            for name in untaken(taken) { faults.append(ParameterFault(name: name, cause: .misplaced)) }
        case .taking(let taken):
            for name in untaken(taken) + parameters.map(\.name) {
                faults.append(ParameterFault(name: name, cause: .untaken(taken: taken)))
            }
        }
    }

    private func untaken(_ taken: [ProtocolParameter]) -> [String] {
        named.isEmpty ? [] : ProtocolParameter.allCases.filter { named.contains($0) && !taken.contains($0) }.map(\.rawValue)
    }
}
