import Foundation
import HTTPServer
import ScreenHTTP
import ScreenService

/// The validated settings of a server. For example, `configuration.port` is the validated value of `ServeFlags.port`.
@dynamicMemberLookup
struct ServerConfiguration: Sendable {
    private let options: ServeFlags
    private let environment: [String: String]
    /// The address of the socket that is served instead of listening on `--host` and `--port`, if there is one.
    private let socket: BoundAddress?
    private var faults: [ConfigurationFaults.Fault]
    /// The settings for the authentication of callers; `nil` if every caller is the user `demo`.
    private(set) var authentication: AuthenticationSettings?

    /// Validates all settings.
    ///
    /// - Parameters:
    ///   - others: settings of this program, in addition to the settings of every server.
    ///   - takesDatabase: A Boolean value that indicates whether the server opens the database that `--database` names.
    ///   - socket: the address of the socket that the service manager has passed, if there is one.
    /// - Throws: one error with all faults. The faults of `others` come first.
    init(
        _ options: ServeOptions, and others: [any CheckableSetting] = [], takesDatabase: Bool = true,
        socket: BoundAddress? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationFaults) {
        let options = options.flags
        (self.options, self.environment, self.socket) = (options, environment, socket)
        faults = (others + options.settings).flatMap { $0.faults(in: environment) }
        authentication = checkedAuthentication()
        if !takesDatabase, options.database.isGiven(in: environment) {
            reject(options.database, "must not be given: this program opens a database of its own")
        }
        if followingBounds.bytes > self.viewCacheBytes {
            reject(options.followedBytes, "must not be more than \(options.viewCacheBytes.flag), which is \(self.viewCacheBytes)")
        }
        if !faults.isEmpty { throw ConfigurationFaults(faults: faults) }
    }

    /// The value of a setting, or the setting's default if the value is invalid.
    subscript<Value>(dynamicMember setting: KeyPath<ServeFlags, Setting<Value>>) -> Value {
        options[keyPath: setting].value(in: environment) ?? options[keyPath: setting].defaultValue
    }

    /// The values of a setting that can be given several times.
    subscript<Value>(dynamicMember settings: KeyPath<ServeFlags, [Setting<Value?>]>) -> [Value] {
        options[keyPath: settings].flatMap { $0.parts(in: environment) }.compactMap { $0.value(in: environment) ?? nil }
    }

    /// The host names that a request may be sent to; `nil` if any host name is allowed.
    var hosts: AllowedHosts? {
        self.hostNames.isEmpty && authentication?.needsCredentials == true ? nil : AllowedHosts(self.hostNames)
    }

    /// The maximum duration of computing a screen or performing an action.
    var deadline: Duration { .seconds(self.deadlineSeconds) }
    /// The time after SIGTERM during which the server still accepts all requests.
    var drain: Duration { .seconds(self.drainSeconds) }
    /// The maximum time that the server waits for pending requests after the drain.
    var grace: Duration { .seconds(self.graceSeconds) }

    var historyBounds: HistoryBounds {
        HistoryBounds(age: self.historyDays * 24 * 3600, bytes: self.historyBytes, memoryBytes: self.historyMemoryBytes)
    }

    var receiptBounds: ReceiptBounds { ReceiptBounds(bytes: self.receiptBytes, bytesPerCaller: self.callerReceiptBytes) }

    var followingBounds: FollowingBounds {
        FollowingBounds(
            views: self.followedViews, bytes: self.followedBytes ?? self.viewCacheBytes / 4 * 3, callerShare: self.callerShare,
            followersPerCaller: self.callerConnections
        )
    }

    var callerBounds: CallerLimits.Bounds {
        CallerLimits.Bounds(requestsPerSecond: self.callerRequests, concurrentRequests: self.callerConcurrency)
    }
}

// MARK: - Settings that depend on others

extension ServerConfiguration {
    private static let choices = "demo, where every caller is the user demo, development, keys=FILE or keys=URL"

    private mutating func reject<Value>(_ setting: Setting<Value>, _ expected: String) {
        faults.append(setting.fault(expected, in: environment))
    }

    private mutating func checkedAuthentication() -> AuthenticationSettings? {
        let choice = checkedChoice()
        if choice == .development, DatabaseURL.matches(self.database) {
            reject(options.authenticationChoice, "stores its key beside an SQLite file: with PostgreSQL use keys=FILE or keys=URL")
        }
        if case .keys(let address) = choice {
            // The issuer is required. Otherwise the server would accept the tokens of any issuer whose key is in the key set.
            if self.issuer == nil { reject(options.issuer, "must be the iss of accepted tokens") }
            return AuthenticationSettings(.keys(address), issuer: self.issuer, audience: self.tokenAudience, database: self.database)
        }
        for (setting, text) in [(options.issuer, self.issuer), (options.tokenAudience, self.tokenAudience)] where text != nil {
            reject(setting, "requires --authentication keys=FILE or keys=URL")
        }
        return choice.map { AuthenticationSettings($0, database: self.database) }
    }

    /// Returns the kind of authentication, or `nil` if every caller is the user `demo`.
    private mutating func checkedChoice() -> AuthenticationSettings.Choice? {
        guard let text = self.authenticationChoice else {
            rejectOtherThanLoopback("is not a loopback address: choose the authentication with --authentication \(Self.choices)")
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

    private mutating func rejectOtherThanLoopback(_ expected: String) {
        if Self.isLoopback(socket?.host ?? self.host) { return }
        guard let socket else { return reject(options.host, expected) }
        faults.append(.init(source: "the passed socket", text: "\(socket)", expected: expected))
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
