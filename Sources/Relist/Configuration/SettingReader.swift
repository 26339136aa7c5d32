package import Foundation
import ScreenWire

/// A reader of settings, one by one, that gathers what is wrong with them.
package struct SettingReader {
    private let flags: [Setting: String]
    private let environment: [String: String]
    private var faults: [ConfigurationFaults.Fault] = []

    package init(flags: [Setting: String], environment: [String: String]) {
        self.flags = flags
        self.environment = environment
    }

    /// - Throws: everything that was wrong.
    package func end() throws(ConfigurationFaults) {
        if !faults.isEmpty { throw ConfigurationFaults(faults: faults) }
    }

    /// The text of a setting that may be left out; nil where it is.
    package mutating func optionalText(_ setting: Setting) -> String? {
        isGiven(setting) ? text(setting) : nil
    }

    /// The number of a setting that may be left out; nil where it is.
    package mutating func optionalNumber<Number: FixedWidthInteger>(_ setting: Setting, in bounds: ClosedRange<Number>) -> Number? {
        isGiven(setting) ? number(setting, in: bounds) : nil
    }

    private func isGiven(_ setting: Setting) -> Bool {
        flags[setting] != nil || environment[setting.variable] != nil
    }

    /// What stands between commas and blanks, each made a value; none where it is not given.
    ///
    /// - Parameter expected: what each must be.
    package mutating func list<Value>(_ setting: Setting, _ expected: String, _ value: (String) -> Value?) -> [Value] {
        let (text, source) = given(setting)
        return text.split { $0 == "," || $0.isWhitespace }.compactMap { part in
            if let value = value(String(part)) { return value }
            faults.append(.init(source: source, text: String(part), expected: expected))
            return nil
        }
    }

    /// Notes what is wrong with a setting in view of others.
    package mutating func refuse(_ setting: Setting, _ expected: String) {
        let (text, source) = given(setting)
        faults.append(.init(source: source, text: text, expected: expected))
    }

    package mutating func text(_ setting: Setting) -> String {
        let (text, source) = given(setting)
        if text.isEmpty { faults.append(.init(source: source, text: text, expected: "must not be empty")) }
        return text
    }

    package mutating func number<Number: FixedWidthInteger>(_ setting: Setting, in bounds: ClosedRange<Number>) -> Number {
        let (text, source) = given(setting)
        if let number = Number(text), bounds.contains(number) { return number }
        let expected = "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        faults.append(.init(source: source, text: text, expected: expected))
        return bounds.lowerBound
    }

    package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(_ setting: Setting) -> Choice {
        let (text, source) = given(setting)
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        faults.append(.init(source: source, text: text, expected: "must be one of \(words)"))
        return Choice.allCases[Choice.allCases.startIndex]
    }

    /// The URL to whose path more is added; nil for an empty text.
    package mutating func url(_ setting: Setting) -> URL? {
        let (text, source) = given(setting)
        if text.isEmpty { return nil }
        if let url = URL(string: text, encodingInvalidCharacters: false), url.isBase { return url }
        let expected = "must be an http or https URL with a host and without user, query or fragment"
        faults.append(.init(source: source, text: text, expected: expected))
        return nil
    }

    /// What counts for a setting, and where it was said.
    private func given(_ setting: Setting) -> (text: String, source: String) {
        if let text = flags[setting] { return (text, setting.flag) }
        if let text = environment[setting.variable] { return (text, setting.variable) }
        return (setting.defaultText, setting.flag)
    }
}

extension URL {
    /// Whether paths of HTTP resources can be added to it.
    fileprivate var isBase: Bool {
        ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false && (1...65535).contains(port ?? 80)
            && user() == nil && password() == nil && query() == nil && fragment() == nil
    }
}

/// Everything that is wrong with a configuration.
package struct ConfigurationFaults: Error, Equatable, CustomStringConvertible {
    package let faults: [Fault]

    package struct Fault: Equatable, Sendable {
        /// The flag or the variable of the environment.
        package let source: String
        package let text: String
        package let expected: String
    }

    package var description: String {
        faults.map { "\($0.source) is \($0.text.quoted) but \($0.expected)." }.joined(separator: "\n")
    }
}
