import ArgumentParser
import Logging
import ScreenHTTP

/// The declarations of the flags of every server.
struct ServeFlags: ParsableArguments, Sendable {
    @Option(.text("host", default: "127.0.0.1"), help: "The address to listen on")
    var host: Setting<String>
    @Option(.number("port", default: 8080, in: 0...65535), help: "The port to listen on; 0 takes a free one")
    var port: Setting<UInt16>
    @Option(
        .optionalNumber("admin-port", default: "none", in: 0...65535),
        help: "The port of /metrics, /healthz and /readyz for operators; 0 takes a free one"
    )
    var adminPort: Setting<Int?>
    @Option(.text("admin-host", default: "127.0.0.1"), help: "The address of that port")
    var adminHost: Setting<String>
    @Option(.metrics, help: "The port of /metrics: public (--port) or admin (--admin-port)")
    var metricsPort: Setting<MetricsPort?>
    @Option(.database, help: "The SQLite file, created if it does not exist, or a postgres:// URL")
    var database: Setting<String>
    @Option(.optionalText("public", default: "Public if there is one, else the page of Relist"), help: "The folder of files to serve")
    var publicFolder: Setting<String?>
    @Option(.choice("log-level", default: .notice), help: "trace, debug, info, notice, warning, error or critical")
    var logLevel: Setting<Logger.Level>
    @Option(.choice("log-format", default: .text), help: "The form of the log: text, or json with an object in each line")
    var logFormat: Setting<LogFormat>
    @Option(
        .optionalText("access-log", default: "none"), help: "The file to which a line for each request is appended; - is standard output")
    var accessLog: Setting<String?>
    @Option(
        .optionalText("authentication", default: "demo on a loopback address"),
        help: "The authentication: demo (every caller is the user demo), development, keys=FILE or keys=URL"
    )
    var authenticationChoice: Setting<String?>
    @Option(.optionalText("issuer"), help: "The iss of accepted tokens, with keys=")
    var issuer: Setting<String?>
    @Option(.optionalText("token-audience", default: "tokens without an aud"), help: "The aud of accepted tokens, with keys=")
    var tokenAudience: Setting<String?>
    @Option(
        .optional("allow-origin", "must be an origin such as https://app.example.com, or *", parse: CrossOrigin.Origin.init),
        help: "An origin whose pages may send requests, such as https://app.example.com, or *; can be repeated"
    )
    var origins: [Setting<CrossOrigin.Origin?>]
    @Option(
        .optional("allow-host", "must be a host name such as lists.example.com, without a port", parse: AllowedHosts.Name.init),
        help: "A host name to accept, in addition to localhost and IP addresses; can be repeated"
    )
    var hostNames: [Setting<AllowedHosts.Name?>]
    @Option(
        .optional("trusted-proxy", "must be an IP address, or a range of them such as 10.0.0.0/8", parse: AddressRange.init),
        help: "A proxy whose X-Forwarded-For or Forwarded names the client: an address or a range such as 10.0.0.0/8; can be repeated"
    )
    var proxies: [Setting<AddressRange?>]
    @Option(.number("history-days", default: 30, in: 1...36_500), help: "Days to keep a version that no client uses")
    var historyDays: Setting<Int64>
    @Option(.number("history-bytes", default: 256 << 20, in: 0...(1 << 40)), help: "Bytes of all versions in the database")
    var historyBytes: Setting<Int>
    @Option(.number("history-memory-bytes", default: 64 << 20, in: (1 << 20)...(1 << 40)), help: "Bytes of the versions in memory")
    var historyMemoryBytes: Setting<Int>
    @Option(.number("view-cache-bytes", default: 256 << 20, in: 0...(1 << 40)), help: "Bytes of all cached views together")
    var viewCacheBytes: Setting<Int>
    // The smallest valid value is the maximum length of one request body. So the memory always suffices for one body.
    @Option(.number("body-bytes", default: 64 << 20, in: (1 << 20)...(1 << 40)), help: "Bytes of all request bodies together")
    var bodyBytes: Setting<Int>
    @Option(
        .number("receipt-bytes", default: 1 << 30, in: (1 << 20)...(1 << 40)),
        help: "Bytes of the receipts of all actions with an Idempotency-Key within 24 hours"
    )
    var receiptBytes: Setting<Int>
    @Option(.number("caller-receipt-bytes", default: 16 << 20, in: 1024...(1 << 40)), help: "Bytes of the receipts of one caller")
    var callerReceiptBytes: Setting<Int>
    @Option(.number("followed-views", default: 8192, in: 0...(1 << 24)), help: "The maximum number of followed views")
    var followedViews: Setting<Int>
    @Option(
        .optionalNumber("followed-bytes", default: "three quarters of --view-cache-bytes", in: 0...(1 << 40)),
        help: "Bytes of the followed views, which are part of all cached views"
    )
    var followedBytes: Setting<Int?>
    @Option(
        .number("caller-share", default: 20, in: 1...100),
        help: "Percent of the followed views, of their bytes, and of the bytes of request bodies that one caller may use"
    )
    var callerShare: Setting<Int>
    @Option(.number("caller-connections", default: 2048, in: 1...(1 << 24)), help: "The maximum number of connections of one address")
    var callerConnections: Setting<Int>
    @Option(
        .number("caller-requests", default: 1000, in: 1...(1 << 24)),
        help: "Requests of one caller per second, on average; twice as many are accepted at once"
    )
    var callerRequests: Setting<Int>
    @Option(
        .number("caller-concurrency", default: 4, in: 1...(1 << 16)),
        help: "Requests of one caller that are computed at the same time; further requests wait"
    )
    var callerConcurrency: Setting<Int>
    // Shared caches may keep a response for at most one hour. History evicts a version that was used within the last hour only if no older
    // version is left. So history usually still has the version of a response in a shared cache.
    @Option(
        .number("shared-cache-seconds", default: 0, in: 0...3600), help: "Seconds for which proxies and CDNs may cache screens for everyone"
    )
    var sharedCacheSeconds: Setting<Int>
    @Option(.number("deadline-seconds", default: 10, in: 1...3600), help: "Seconds for computing a screen, and for an action")
    var deadlineSeconds: Setting<Int>
    @Option(.number("drain-seconds", default: 5, in: 0...3600), help: "Seconds to keep serving after SIGTERM while not ready")
    var drainSeconds: Setting<Int>
    @Option(.number("grace-seconds", default: 10, in: 0...3600), help: "Seconds after that for pending requests")
    var graceSeconds: Setting<Int>

    init() {}

    var settings: [any CheckableSetting] {
        Mirror(reflecting: self).children.compactMap { $0.value as? any CheckableSetting }
    }
}

extension Setting<String> {
    /// The setting for the path of the database. Several commands have this setting.
    package static var database: Self { .text("database", default: "relist.sqlite") }
}
