import Foundation

extension Setting<String> {
    /// Returns a setting whose value is a text that must not be empty.
    package static func text(_ name: String, default value: String) -> Self {
        Setting(name, default: value, shownAs: value, "must not be empty") { $0.isEmpty ? nil : $0 }
    }
}

extension Setting where Value: FixedWidthInteger {
    static func number(_ name: String, default value: Value, in bounds: ClosedRange<Value>) -> Self {
        Setting(name, default: value, shownAs: "\(value)", bounds.rule) { bounds.number($0) }
    }
}

extension Setting where Value: CaseIterable & RawRepresentable<String> {
    /// Returns a setting whose value is a case of an enumeration, given as its raw value.
    static func choice(_ name: String, default value: Value) -> Self {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return Setting(name, default: value, shownAs: value.rawValue, "must be one of \(words)") { Value(rawValue: $0) }
    }
}

// MARK: - Without a default

extension Setting {
    /// Returns a setting whose value is optional and `nil` by default.
    ///
    /// - Parameters:
    ///   - description: the text that explains `nil` in the help.
    ///   - expected: the rule for a valid text, such as "must not be empty".
    ///   - parse: returns the value of a text, or `nil` if the text is invalid.
    static func optional<Wrapped>(
        _ name: String, default description: String? = nil, _ expected: String, parse: @escaping @Sendable (String) -> Wrapped?
    ) -> Self where Value == Wrapped? {
        Setting(name, default: nil, shownAs: description, expected) { text in parse(text).map(Optional.some) }
    }
}

extension Setting<String?> {
    static func optionalText(_ name: String, default description: String? = nil) -> Self {
        .optional(name, default: description, "must not be empty") { $0.isEmpty ? nil : $0 }
    }
}

extension Setting<Int?> {
    static func optionalNumber(_ name: String, default description: String, in bounds: ClosedRange<Int>) -> Self {
        .optional(name, default: description, bounds.rule) { bounds.number($0) }
    }
}

extension Setting<URL?> {
    /// Returns a setting whose value is a base URL, to which paths are appended. An empty text sets the value to `nil`.
    package static func url(_ name: String, default description: String) -> Self {
        let expected = "must be an http or https URL with a host and without user, query or fragment"
        return Setting(name, default: nil, shownAs: description, expected) { text in
            if text.isEmpty { return .some(nil) }
            guard let url = URL(string: text, encodingInvalidCharacters: false), url.isBase else { return nil }
            return url
        }
    }
}

extension ClosedRange where Bound: FixedWidthInteger {
    fileprivate func number(_ text: String) -> Bound? { Bound(text).flatMap { contains($0) ? $0 : nil } }

    fileprivate var rule: String { "must be a whole number from \(lowerBound) to \(upperBound)" }
}

extension URL {
    /// A Boolean value that indicates whether paths of HTTP resources can be appended to the URL.
    fileprivate var isBase: Bool {
        ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false && (1...65535).contains(port ?? 80)
            && user() == nil && password() == nil && query() == nil && fragment() == nil
    }
}
