import Foundation
import ScreenHTTP
import ScreenService

/// The settings of a server, checked. `configuration.port` is the value of `ServeOptions.port`.
@dynamicMemberLookup
struct ServerConfiguration: Sendable {
    private let options: ServeOptions
    private let environment: [String: String]
    private var faults: [ConfigurationFaults.Fault]
    /// The way in which callers are authenticated; nil where everyone is the user `demo`.
    private(set) var authentication: AuthenticationSettings?

    /// - Parameter others: settings that the program has beside those of every server.
    /// - Throws: all faults at once, those of the others first.
    init(
        _ options: ServeOptions, and others: [any CheckableSetting] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationFaults) {
        (self.options, self.environment) = (options, environment)
        faults = (others + options.settings).flatMap { $0.faults(in: environment) }
        authentication = checkedAuthentication()
        if followingBounds.bytes > self.viewCacheBytes {
            reject(options.followedBytes, "must not be more than \(options.viewCacheBytes.flag), which is \(self.viewCacheBytes)")
        }
        if !faults.isEmpty { throw ConfigurationFaults(faults: faults) }
    }

    /// The value of a setting; its default where it has a fault.
    subscript<Value>(dynamicMember setting: KeyPath<ServeOptions, Setting<Value>>) -> Value {
        options[keyPath: setting].value(in: environment) ?? options[keyPath: setting].defaultValue
    }

    /// The values of a setting that can be repeated.
    subscript<Value>(dynamicMember settings: KeyPath<ServeOptions, [Setting<Value?>]>) -> [Value] {
        options[keyPath: settings].flatMap { $0.parts(in: environment) }.compactMap { $0.value(in: environment) ?? nil }
    }

    /// The hosts that requests must be for; nil where any will do.
    var hosts: AllowedHosts? {
        self.hostNames.isEmpty && authentication?.needsCredentials == true ? nil : AllowedHosts(self.hostNames)
    }

    /// The limit for computing a screen, and for an action.
    var deadline: Duration { .seconds(self.deadlineSeconds) }
    /// The time for which everything is still answered after the server was asked to stop.
    var drain: Duration { .seconds(self.drainSeconds) }
    /// The time for answers in progress after that.
    var grace: Duration { .seconds(self.graceSeconds) }

    var historyBounds: HistoryBounds {
        HistoryBounds(age: self.historyDays * 24 * 3600, bytes: self.historyBytes, memoryBytes: self.historyMemoryBytes)
    }

    var receiptBounds: ReceiptBounds { ReceiptBounds(bytes: self.receiptBytes, bytesPerCaller: self.callerReceiptBytes) }

    var followingBounds: FollowingBounds {
        FollowingBounds(
            views: self.followedViews, bytes: self.followedBytes ?? self.viewCacheBytes / 4 * 3, callerShare: self.callerShare
        )
    }
}

// MARK: - Checks of one setting in view of others

extension ServerConfiguration {
    private static let choices = "demo, where everyone is the user demo, development, keys=FILE or keys=URL"

    private mutating func reject<Value>(_ setting: Setting<Value>, _ expected: String) {
        faults.append(setting.fault(expected, in: environment))
    }

    private mutating func checkedAuthentication() -> AuthenticationSettings? {
        let choice = checkedChoice()
        if choice == .development, DatabaseURL.isMeant(by: self.database) {
            reject(options.authenticationChoice, "keeps its key beside an SQLite file: with PostgreSQL take keys=FILE or keys=URL")
        }
        if case .keys(let address) = choice {
            // Otherwise a user of another issuer with keys in the set would be taken for one of this issuer.
            if self.issuer == nil { reject(options.issuer, "must say whose tokens are taken, as their iss has it") }
            return AuthenticationSettings(.keys(address), issuer: self.issuer, audience: self.tokenAudience, database: self.database)
        }
        for (setting, text) in [(options.issuer, self.issuer), (options.tokenAudience, self.tokenAudience)] where text != nil {
            reject(setting, "is for tokens of --authentication keys=FILE or keys=URL")
        }
        return choice.map { AuthenticationSettings($0, database: self.database) }
    }

    /// The way in which callers are authenticated; nil for the demo's one user.
    private mutating func checkedChoice() -> AuthenticationSettings.Choice? {
        guard let text = self.authenticationChoice else {
            if !Self.isLoopback(self.host) {
                reject(options.host, "is no loopback address: say who may ask with --authentication \(Self.choices)")
            }
            return nil
        }
        let keys = "keys="
        switch text {
        case "demo": return nil
        case "development": return .development
        case _ where text.hasPrefix(keys) && text.count > keys.count: return .keys(String(text.dropFirst(keys.count)))
        default:
            reject(options.authenticationChoice, "must be \(Self.choices)")
            return nil
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
