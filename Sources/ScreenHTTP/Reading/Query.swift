import ScreenService

/// A parsed query string, with the parameters of the protocol and the parameters of a screen.
///
/// Faults are collected instead of thrown, so that they can be reported together with the faults of the screen's parameters.
struct Query: Sendable {
    private(set) var version: String?
    private(set) var locale: ScreenLocale?
    /// The text of the parameter `revision`. The screen checks it.
    private(set) var revision: String?
    /// The text of the parameter `position`. It can be any text.
    private(set) var position: String?
    /// The parameters that do not belong to the protocol, in order.
    private(set) var parameters: [(name: String, value: String)] = []
    private(set) var faults: [ParameterFault] = []
    private var named: Set<ProtocolParameter> = []

    init(_ query: Substring?, by rule: QueryRule, locales: [ScreenLocale]) {
        guard let query, rule != .ignored else { return }
        // The query is split by bytes, because splitting it by characters would take most of the time.
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
            locale = locales.first { $0.matches(value[...]) }
            if locale == nil {
                let known = locales.map(\.language)
                faults.append(ParameterFault(name: parameter.rawValue, cause: .unknownLanguage(known: known)))
            }
        }
    }

    /// Adds a fault for each parameter that the operation does not accept. The parameters of a screen are checked by the screen.
    private mutating func check(against rule: QueryRule) {
        switch rule {
        case .ignored: break
        case .ofScreen(let taken):
            for name in notAccepted(taken) { faults.append(ParameterFault(name: name, cause: .notSupportedHere)) }
        case .accepting(let taken):
            for name in notAccepted(taken) + parameters.map(\.name) {
                faults.append(ParameterFault(name: name, cause: .notAccepted(taken: taken)))
            }
        }
    }

    private func notAccepted(_ taken: [ProtocolParameter]) -> [String] {
        named.isEmpty ? [] : ProtocolParameter.allCases.filter { named.contains($0) && !taken.contains($0) }.map(\.rawValue)
    }
}

/// The percent-encoding of request targets (RFC 3986, section 2.1).
enum PercentEncoding {
    /// Returns the decoded text, or nil if an escape is not two hexadecimal digits, or the bytes are not UTF-8.
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let needsDecoding = text.utf8.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
        guard needsDecoding else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = digit(rest.next()), let low = digit(rest.next()) else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        switch byte | 0x20 {
        case _ where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): return byte - UInt8(ascii: "0")
        case let letter where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter): return letter - UInt8(ascii: "a") + 10
        default: return nil
        }
    }
}
