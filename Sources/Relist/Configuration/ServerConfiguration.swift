package import Logging
package import ScreenHTTP
package import ScreenService

/// What a server starts with, checked.
package struct ServerConfiguration: Sendable {
    package var host: String
    package var port: UInt16
    package var database: String
    /// Nil where none is said.
    package var publicFolder: String?
    /// How it is found out who asks; nil where everyone is the user `demo`.
    package var authentication: AuthenticationSettings?
    /// Whose pages may ask.
    package var origins: [CrossOrigin.Origin]
    /// The hosts that requests must be for; nil where any will do.
    package var hosts: AllowedHosts?
    /// The proxies whose reports of a client's address are trusted.
    package var proxies: [AddressRange]
    package var logLevel: Logger.Level
    package var historyBounds: HistoryBounds
    package var viewCacheBytes: Int
    /// The memory for the bodies of all requests together.
    package var bodyBytes: Int
    package var receiptBounds: ReceiptBounds
    package var followingBounds: FollowingBounds
    /// For how long caches that serve many may keep what screens for everyone show.
    package var sharedCacheSeconds: Int
    /// How long computing a screen may take, and performing an action.
    package var deadline: Duration
    /// How long everything is still answered once the server was asked to stop.
    package var drain: Duration
    /// How long answers that are under way may take after that.
    package var grace: Duration

    /// Takes each value from its flag, else from the environment, else its default.
    ///
    /// - Throws: all faults at once, also of what was read before.
    package init(_ reader: inout SettingReader) throws(ConfigurationFaults) {
        host = reader.text(.host)
        port = reader.number(.port, in: 0...65535)
        database = reader.text(.database)
        publicFolder = reader.optionalText(.publicFolder)
        authentication = reader.authentication(on: host, database: database)
        origins = reader.list(.allowOrigin, "must be an origin such as https://app.example.com, or *", CrossOrigin.Origin.init)
        let names = reader.list(.allowHost, "must be a host name such as lists.example.com, without a port", AllowedHosts.Name.init)
        hosts = names.isEmpty && authentication?.needsCredentials == true ? nil : AllowedHosts(names)
        proxies = reader.list(.trustedProxy, "must be an IP address, or a range of them such as 10.0.0.0/8", AddressRange.init)
        logLevel = reader.choice(.logLevel)
        historyBounds = HistoryBounds(
            age: reader.number(.historyDays, in: 1...36_500) * 24 * 3600,
            bytes: reader.number(.historyBytes, in: 0...(1 << 40)),
            memoryBytes: reader.number(.historyMemoryBytes, in: (1 << 20)...(1 << 40))
        )
        viewCacheBytes = reader.number(.viewCacheBytes, in: 0...(1 << 40))
        // At least the longest body.
        bodyBytes = reader.number(.bodyBytes, in: (1 << 20)...(1 << 40))
        receiptBounds = ReceiptBounds(
            bytes: reader.number(.receiptBytes, in: (1 << 20)...(1 << 40)),
            bytesPerCaller: reader.number(.callerReceiptBytes, in: 1024...(1 << 40))
        )
        followingBounds = FollowingBounds(
            views: reader.number(.followedViews, in: 0...(1 << 24)),
            bytes: reader.optionalNumber(.followedBytes, in: 0...(1 << 40)) ?? viewCacheBytes / 4 * 3,
            callerShare: reader.number(.callerShare, in: 1...100)
        )
        if followingBounds.bytes > viewCacheBytes {
            reader.refuse(.followedBytes, "must not be more than \(Setting.viewCacheBytes.flag), which is \(viewCacheBytes)")
        }
        // What was handed out within the hour goes last from history, so what a cache has kept leads to versions that are known.
        sharedCacheSeconds = reader.number(.sharedCacheSeconds, in: 0...3600)
        deadline = .seconds(reader.number(.deadlineSeconds, in: 1...3600) as Int)
        drain = .seconds(reader.number(.drainSeconds, in: 0...3600) as Int)
        grace = .seconds(reader.number(.graceSeconds, in: 0...3600) as Int)
        try reader.end()
    }
}

extension SettingReader {
    private static let choices = "demo, where everyone is the user demo, development, keys=FILE or keys=URL"

    /// How it is found out who asks; nil for the demo's one user.
    fileprivate mutating func authentication(on host: String, database: String) -> AuthenticationSettings? {
        let (issuer, audience) = (optionalText(.issuer), optionalText(.tokenAudience))
        let choice = authenticationChoice(on: host)
        if choice == .development, DatabaseURL.isMeant(by: database) {
            refuse(.authentication, "keeps its key beside an SQLite file: with PostgreSQL take keys=FILE or keys=URL")
        }
        if case .keys(let address) = choice {
            // Otherwise a user of somebody else with keys in the set would be taken for one of theirs.
            if issuer == nil { refuse(.issuer, "must say whose tokens are taken, as their iss has it") }
            return AuthenticationSettings(.keys(address), issuer: issuer, audience: audience, database: database)
        }
        for (setting, text) in [(Setting.issuer, issuer), (.tokenAudience, audience)] where text != nil {
            refuse(setting, "is for tokens of --authentication keys=FILE or keys=URL")
        }
        return choice.map { AuthenticationSettings($0, database: database) }
    }

    private mutating func authenticationChoice(on host: String) -> AuthenticationSettings.Choice? {
        guard let text = optionalText(.authentication) else {
            if !host.isEmpty, !Self.isLoopback(host) {
                refuse(.host, "is no loopback address: say who may ask with --authentication \(Self.choices)")
            }
            return nil
        }
        let keys = "keys="
        switch text {
        case "demo": return nil
        case "development": return .development
        case _ where text.hasPrefix(keys) && text.count > keys.count: return .keys(String(text.dropFirst(keys.count)))
        default:
            refuse(.authentication, "must be \(Self.choices)")
            return nil
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
