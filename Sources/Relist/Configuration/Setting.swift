package import ArgumentParser
import Foundation
import ScreenWire

/// A setting of the server, in one declaration: its flag, its variable of the environment, its default, and the texts that it takes.
package struct Setting<Value: Sendable>: Sendable {
    /// The flag without the dashes.
    let name: String
    /// The value where neither the flag nor the variable is given.
    package let defaultValue: Value
    /// The default as the help of the flag shows it; nil where it shows none.
    private let defaultText: String?
    /// The rule for a text: "must be …".
    private let expected: String
    /// Makes the value of a text; nil where the text breaks the rule.
    private let parse: @Sendable (String) -> Value?
    /// The text of the flag or, for a part of a list, of the variable; nil where the flag is not given.
    private var given: (text: String, source: String)?
    /// A Boolean value that indicates whether a text has any number of values, between commas and blanks.
    fileprivate var isList = false

    init(
        _ name: String, default defaultValue: Value, shownAs defaultText: String?, _ expected: String, parse: @escaping @Sendable (String) -> Value?
    ) {
        (self.name, self.defaultValue, self.defaultText, self.expected, self.parse) = (name, defaultValue, defaultText, expected, parse)
    }

    var flag: String { "--\(name)" }

    /// The variable that counts where the flag is not given: `RELIST_LOG_LEVEL`.
    var variable: String { "RELIST_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

    /// The value of the flag, else of the variable, else the default; nil where the text breaks the rule.
    package func value(in environment: [String: String] = ProcessInfo.processInfo.environment) -> Value? {
        guard let (text, _) = given(in: environment) else { return defaultValue }
        return parse(text)
    }

    /// A fault of this setting in view of others.
    func fault(_ expected: String, in environment: [String: String]) -> ConfigurationFaults.Fault {
        let (text, source) = given(in: environment) ?? ("", flag)
        return .init(source: source, text: text, expected: expected)
    }

    private func given(in environment: [String: String]) -> (text: String, source: String)? {
        given ?? environment[variable].map { ($0, variable) }
    }

    /// The setting for each value of a list.
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
    /// The flag of a setting.
    ///
    /// - Parameter help: without a full stop, as the default follows.
    package init<Content>(_ setting: Setting<Content>, help: String) where Value == Setting<Content> {
        self.init(wrappedValue: setting, name: .customLong(setting.name), help: setting.help(help), transform: setting.withFlag)
    }

    /// The flag of a setting that can be repeated.
    ///
    /// - Parameter help: without a full stop, as the default follows.
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

/// A setting or a list of them, whatever its values, for a check of all settings at once.
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
