public import ArgumentParser
import Foundation

/// The flags of every server. Each can also be set in the environment: `--log-level` as `RELIST_LOG_LEVEL`, and so on.
///
/// A program with flags of its own takes them beside these:
///
/// ```swift
/// @main struct Garden: AsyncParsableCommand {
///     @OptionGroup var options: ServeOptions
///     @Option var season = "spring"
///
///     func run() async throws {
///         await RelistServer(screens: [Planets(season: season)]).run(with: options)
///     }
/// }
/// ```
public struct ServeOptions: ParsableArguments {
    // All are texts: they are checked together, with those of the environment.
    @Option(help: "The address to listen on (default: \(Setting.host.defaultText)).")
    var host: String?
    @Option(help: "The port to listen on; 0 takes a free one (default: \(Setting.port.defaultText)).")
    var port: String?
    @Option(help: "The SQLite file, made if it is not there, or a postgres:// URL (default: \(Setting.database.defaultText)).")
    var database: String?
    @Option(name: .customLong("public"), help: "The folder of files to serve (default: Public if there is one, else the page of Relist).")
    var publicFolder: String?
    @Option(help: "trace, debug, info, notice, warning, error or critical (default: \(Setting.logLevel.defaultText)).")
    var logLevel: String?
    @Option(help: "Who asks: demo (everyone is the user demo), development, keys=FILE or keys=URL (default: demo on a loopback address).")
    var authentication: String?
    @Option(help: "The iss of the tokens that are taken, with keys=.")
    var issuer: String?
    @Option(help: "What the aud of tokens must name, with keys= (default: tokens without an aud).")
    var tokenAudience: String?
    @Option(help: "An origin whose pages may ask, such as https://app.example.com, or *; can be repeated.")
    var allowOrigin: [String] = []
    @Option(help: "A host name to answer to, beside localhost and IP addresses; can be repeated.")
    var allowHost: [String] = []
    @Option(help: "A proxy whose X-Forwarded-For or Forwarded names the client: an address or a range such as 10.0.0.0/8; can be repeated.")
    var trustedProxy: [String] = []
    @Option(help: "Days to remember a version that nobody uses (default: \(Setting.historyDays.defaultText)).")
    var historyDays: String?
    @Option(help: "Bytes of all versions in the database (default: \(Setting.historyBytes.defaultText)).")
    var historyBytes: String?
    @Option(help: "Bytes of the versions in memory (default: \(Setting.historyMemoryBytes.defaultText)).")
    var historyMemoryBytes: String?
    @Option(help: "Bytes of all cached views together (default: \(Setting.viewCacheBytes.defaultText)).")
    var viewCacheBytes: String?
    @Option(help: "Bytes of all request bodies together (default: \(Setting.bodyBytes.defaultText)).")
    var bodyBytes: String?
    @Option(help: "Bytes of the receipts of all actions with an Idempotency-Key within 24 hours (default: \(Setting.receiptBytes.defaultText)).")
    var receiptBytes: String?
    @Option(help: "Bytes of the receipts of one caller (default: \(Setting.callerReceiptBytes.defaultText)).")
    var callerReceiptBytes: String?
    @Option(help: "Views that clients may follow (default: \(Setting.followedViews.defaultText)).")
    var followedViews: String?
    @Option(help: "Bytes of those views, within those of all cached views (default: three quarters of --view-cache-bytes).")
    var followedBytes: String?
    @Option(help: "Percent of the followed views, of their bytes, and of the bytes of request bodies that one caller may use (default: \(Setting.callerShare.defaultText)).")
    var callerShare: String?
    @Option(help: "Seconds for which proxies and CDNs may keep screens for everyone (default: \(Setting.sharedCacheSeconds.defaultText)).")
    var sharedCacheSeconds: String?
    @Option(help: "Seconds for computing a screen, and for an action (default: \(Setting.deadlineSeconds.defaultText)).")
    var deadlineSeconds: String?
    @Option(help: "Seconds after SIGTERM to answer all while not ready (default: \(Setting.drainSeconds.defaultText)).")
    var drainSeconds: String?
    @Option(help: "Seconds after that for answers under way (default: \(Setting.graceSeconds.defaultText)).")
    var graceSeconds: String?

    public init() {}

    /// What was given, to be read with the environment of the process.
    ///
    /// - Parameter others: flags beside these.
    package func reader(with others: [Setting: String?] = [:]) -> SettingReader {
        let given: [Setting: String?] = [
            .host: host, .port: port, .database: database, .publicFolder: publicFolder, .logLevel: logLevel,
            .authentication: authentication, .issuer: issuer, .tokenAudience: tokenAudience,
            .allowOrigin: Self.list(allowOrigin), .allowHost: Self.list(allowHost), .trustedProxy: Self.list(trustedProxy),
            .historyDays: historyDays, .historyBytes: historyBytes,
            .historyMemoryBytes: historyMemoryBytes, .viewCacheBytes: viewCacheBytes, .bodyBytes: bodyBytes,
            .receiptBytes: receiptBytes, .callerReceiptBytes: callerReceiptBytes, .followedViews: followedViews,
            .followedBytes: followedBytes, .callerShare: callerShare, .sharedCacheSeconds: sharedCacheSeconds,
            .deadlineSeconds: deadlineSeconds, .drainSeconds: drainSeconds, .graceSeconds: graceSeconds,
        ]
        return SettingReader(
            flags: given.merging(others) { $1 }.compactMapValues { $0 }, environment: ProcessInfo.processInfo.environment
        )
    }

    /// The values of a flag that can be repeated as one text; nil where there are none.
    private static func list(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.joined(separator: ",")
    }
}
