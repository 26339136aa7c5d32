import CPostgres
import Glibc

/// Where the database is and how to reach it, as libpq takes it: a URL such as `postgres://relist@db1,db2/relist`.
struct PostgresAddress: Sendable {
    let url: String
    /// The names of hosts and database, for people; no secret is in it.
    let description: String
    /// The schema in which unqualified names are looked up first; nil for the server's own choice.
    let schema: String?

    /// What counts where the URL does not say otherwise. Bounds in seconds, the last in milliseconds.
    private static let defaults: [(String, String)] = [
        ("target_session_attrs", "read-write"), ("connect_timeout", "2"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "10000"), ("fallback_application_name", "relist"),
    ]

    /// - Throws: ``PostgresOpeningError/badURL(reason:)``
    init(_ url: String, schema: String? = nil) throws(PostgresOpeningError) {
        var message: UnsafeMutablePointer<CChar>?
        guard Self.isMeant(by: url), let options = PQconninfoParse(url, &message) else {
            defer { PQfreemem(message) }
            throw .badURL(reason: Self.withoutQuotation(PostgresResult.firstLine(message)))
        }
        defer { PQconninfoFree(options) }
        if Self.hasStrayAt(url) { throw .badURL(reason: "an @ or a / in a password is written as %40 or %2F") }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        // Which libpq looks at when it connects.
        let ports = values["port"].map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        guard ports.allSatisfy({ $0.isEmpty || UInt16($0) ?? 0 > 0 }) else { throw .badURL(reason: "a port is a number from 1 to 65535") }
        (self.url, self.schema) = (url, schema)
        let host = values["host"] ?? values["hostaddr"] ?? "the local server"
        description = "\(host)/\(values["dbname"] ?? values["user"] ?? "")"
    }

    /// Whether a text names a database of PostgreSQL's, not a file.
    static func isMeant(by text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// What libpq says of a URL, which ends with as much of it as it could not read: a password may be in that.
    private static func withoutQuotation(_ reason: String) -> String {
        // `: "`, where the quotation begins.
        let quotation: [UInt8] = [0x3A, 0x20, 0x22]
        let bytes = Array(reason.utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: quotation) }
        return String(decoding: bytes[..<(start ?? bytes.endIndex)], as: UTF8.self)
    }

    /// Whether libpq takes a part of a password for a host or a database, which are told: behind what it takes for the user and
    /// the password, and before the query, there is another `@`.
    private static func hasStrayAt(_ url: String) -> Bool {
        guard let authority = url.utf8.firstIndex(of: UInt8(ascii: ":")).map({ url.utf8[$0...].dropFirst(3) }) else { return false }
        let end = authority.firstIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") }
        let hasUser = end.map { authority[$0] == UInt8(ascii: "@") } ?? false
        let rest = hasUser ? authority[end!...].dropFirst() : authority
        return rest.prefix { $0 != UInt8(ascii: "?") }.contains(UInt8(ascii: "@"))
    }

    /// Connects, on the thread that calls: each host has its time.
    ///
    /// - Returns: a connection that is to be finished, whether it is sound or not.
    func connect() -> OpaquePointer? {
        let options = Self.defaults + [("dbname", url), ("client_encoding", "UTF8")]
        let keywords = options.map { strdup($0.0) } + [nil]
        let values = options.map { strdup($0.1) } + [nil]
        defer { for text in keywords + values { free(text) } }
        return keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(keywords.baseAddress, values.baseAddress, 1)
            }
        }
    }
}
