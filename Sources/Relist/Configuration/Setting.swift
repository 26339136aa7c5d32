package import ArgumentParser
import Foundation
import ScreenService
import ScreenWire

/// A setting of the server: its flag, its environment variable, its default, and its valid values.
package struct Setting<Value: Sendable>: Sendable {
    /// The name of the flag, without the two dashes.
    let name: String
    /// The value of the setting if neither the flag nor the environment variable is given.
    package let defaultValue: Value
    /// The text that the help shows as the default, or `nil` to show no default.
    private let defaultText: String?
    /// The rule for a valid text, such as "must not be empty".
    private let expected: String
    /// A function that returns the value of a text, or `nil` if the text is invalid.
    private let parse: @Sendable (String) -> Value?
    /// The text of the flag and the source of this text; `nil` if the flag is not given. For one element of a list, the text may also come
    /// from the environment variable.
    private var given: (text: String, source: String)?
    /// A Boolean value that indicates whether a text may contain several values, separated by commas and blanks.
    fileprivate var isList = false

    init(
        _ name: String, default defaultValue: Value, shownAs defaultText: String?, _ expected: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        (self.name, self.defaultValue, self.defaultText, self.expected, self.parse) = (name, defaultValue, defaultText, expected, parse)
    }

    var flag: String { "--\(name)" }

    /// The name of the environment variable, such as `RELIST_LOG_LEVEL`. The variable is used if the flag is not given.
    var variable: String { "RELIST_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

    /// Returns the value of the flag. Without the flag, returns the value of the environment variable, or the default if there is
    /// no variable. Returns `nil` if the text is invalid.
    package func value(in environment: [String: String] = ProcessInfo.processInfo.environment) -> Value? {
        guard let (text, _) = given(in: environment) else { return defaultValue }
        return parse(text)
    }

    /// Returns a fault that contains the text of this setting. `expected` is the broken rule, which can depend on several settings.
    func fault(_ expected: String, in environment: [String: String]) -> ConfigurationFaults.Fault {
        let (text, source) = given(in: environment) ?? ("", flag)
        return .init(source: source, text: text, expected: expected)
    }

    private func given(in environment: [String: String]) -> (text: String, source: String)? {
        given ?? environment[variable].map { ($0, variable) }
    }

    /// Returns a Boolean value that indicates whether the flag or the environment variable is given.
    func isGiven(in environment: [String: String]) -> Bool { given(in: environment) != nil }

    /// Returns one setting for each value of a list. A setting that is not a list is returned unchanged.
    func parts(in environment: [String: String]) -> [Setting] {
        guard isList else { return [self] }
        guard let (text, source) = given(in: environment) else { return [] }
        return text.split { $0 == "," || $0.isWhitespace }.map { with(String($0), from: source) }
    }

    private func with(_ text: String, from source: String) -> Setting {
        var setting = self
        setting.given = (text, source)
        return setting
    }
}

extension Option {
    /// Declares the flag of a setting.
    ///
    /// - Parameter help: a text without a full stop, because the default is added after it.
    package init<Content>(_ setting: Setting<Content>, help: String) where Value == Setting<Content> {
        self.init(wrappedValue: setting, name: .customLong(setting.name), help: setting.help(help), transform: setting.withFlag)
    }

    /// Declares the flag of a setting that can be given several times.
    ///
    /// - Parameter help: a text without a full stop, because the default is added after it.
    package init<Content>(_ setting: Setting<Content>, help: String) where Value == [Setting<Content>] {
        var list = setting
        list.isList = true
        self.init(wrappedValue: [list], name: .customLong(list.name), help: list.help(help), transform: list.withFlag)
    }
}

extension Setting {
    @Sendable fileprivate func withFlag(_ text: String) -> Setting { with(text, from: flag) }

    fileprivate func help(_ text: String) -> ArgumentHelp {
        ArgumentHelp(text + (defaultText.map { " (default: \($0))" } ?? "") + ".")
    }
}

// MARK: - Faults

/// A setting or a list of settings with values of any type. The protocol allows settings of different types to be validated together.
package protocol CheckableSetting {
    func faults(in environment: [String: String]) -> [ConfigurationFaults.Fault]
}

extension Setting: CheckableSetting {
    package func faults(in environment: [String: String]) -> [ConfigurationFaults.Fault] {
        parts(in: environment).filter { $0.value(in: environment) == nil }.map { $0.fault(expected, in: environment) }
    }
}

extension Array: CheckableSetting where Element: CheckableSetting {
    package func faults(in environment: [String: String]) -> [ConfigurationFaults.Fault] { flatMap { $0.faults(in: environment) } }
}

extension Option: CheckableSetting where Value: CheckableSetting {
    package func faults(in environment: [String: String]) -> [ConfigurationFaults.Fault] { wrappedValue.faults(in: environment) }
}

/// An error with all faults of a configuration.
package struct ConfigurationFaults: Error, Equatable, CustomStringConvertible {
    package let faults: [Fault]

    package struct Fault: Equatable, Sendable, CustomStringConvertible {
        /// The flag or environment variable that has the fault.
        package let source: String
        package let text: String
        package let expected: String

        package var description: String { "\(source) is \(text.withoutPasswords.quoted) but \(expected)." }
    }

    package var description: String { faults.map(\.description).joined(separator: "\n") }
}
