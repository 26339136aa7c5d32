/// A setting of the server: a flag, and a variable of the environment.
package struct Setting: Hashable, Sendable {
    /// Its flag without the dashes.
    package let name: String
    /// What counts where it is not given.
    package let defaultText: String

    package init(_ name: String, default defaultText: String) {
        self.name = name
        self.defaultText = defaultText
    }

    package var flag: String { "--\(name)" }

    /// Where it is read from when the flag is not given: `RELIST_LOG_LEVEL`.
    package var variable: String { "RELIST_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }
}

// Those of every server.
extension Setting {
    package static let host = Setting("host", default: "127.0.0.1")
    package static let port = Setting("port", default: "8080")
    package static let database = Setting("database", default: "relist.sqlite")
    /// None by default: ``PublicFolders`` says what counts then.
    package static let publicFolder = Setting("public", default: "")
    package static let logLevel = Setting("log-level", default: "notice")
    /// Which users there are, where none is said, depends on the address.
    package static let authentication = Setting("authentication", default: "")
    package static let issuer = Setting("issuer", default: "")
    package static let tokenAudience = Setting("token-audience", default: "")
    package static let allowOrigin = Setting("allow-origin", default: "")
    package static let allowHost = Setting("allow-host", default: "")
    package static let trustedProxy = Setting("trusted-proxy", default: "")
    package static let historyDays = Setting("history-days", default: "30")
    package static let historyBytes = Setting("history-bytes", default: String(256 << 20))
    package static let historyMemoryBytes = Setting("history-memory-bytes", default: String(64 << 20))
    package static let viewCacheBytes = Setting("view-cache-bytes", default: String(256 << 20))
    package static let bodyBytes = Setting("body-bytes", default: String(64 << 20))
    package static let receiptBytes = Setting("receipt-bytes", default: String(1 << 30))
    package static let callerReceiptBytes = Setting("caller-receipt-bytes", default: String(16 << 20))
    package static let followedViews = Setting("followed-views", default: "8192")
    /// Three quarters of the bytes of cached views by default.
    package static let followedBytes = Setting("followed-bytes", default: "")
    package static let callerShare = Setting("caller-share", default: "20")
    package static let sharedCacheSeconds = Setting("shared-cache-seconds", default: "0")
    package static let deadlineSeconds = Setting("deadline-seconds", default: "10")
    package static let drainSeconds = Setting("drain-seconds", default: "5")
    package static let graceSeconds = Setting("grace-seconds", default: "10")
}
