/// A setting of the server. Its raw value is its flag without the dashes.
enum Setting: String, CaseIterable {
    case host
    case port
    case database
    case publicFolder = "public"
    case logLevel = "log-level"
    case historyDays = "history-days"
    case historyBytes = "history-bytes"
    case historyMemoryBytes = "history-memory-bytes"
    case viewCacheBytes = "view-cache-bytes"
    case postsUpstream = "posts-upstream"
    case deadlineSeconds = "deadline-seconds"
    case drainSeconds = "drain-seconds"
    case graceSeconds = "grace-seconds"

    var flag: String { "--\(rawValue)" }

    /// Where it is read from when the flag is not given: `RELIST_LOG_LEVEL`.
    var variable: String { "RELIST_" + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

    var defaultText: String {
        switch self {
        case .host: "127.0.0.1"
        case .port: "8080"
        case .database: "relist.sqlite"
        case .publicFolder: "Public"
        case .logLevel: "notice"
        case .historyDays: "30"
        case .historyBytes: String(256 << 20)
        case .historyMemoryBytes: String(64 << 20)
        case .viewCacheBytes: String(256 << 20)
        case .postsUpstream: ""
        case .deadlineSeconds: "10"
        case .drainSeconds: "5"
        case .graceSeconds: "10"
        }
    }
}
