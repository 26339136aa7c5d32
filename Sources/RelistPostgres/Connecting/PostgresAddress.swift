import CPostgres
import Glibc

/// The address of a database: a libpq URL such as `postgres://relist@db1,db2/relist`.
struct PostgresAddress: Sendable {
    let url: String
    /// The names of the hosts and the database, for messages. The text contains no secret.
    let description: String
    /// The schema in which names without a schema are looked up first; `nil` if only the search path of the server is used.
    let schema: String?
    /// A Boolean value that indicates whether the sessions are read-only.
    private(set) var isReadOnly = false
    /// A Boolean value that indicates whether a server that rejects writes is used, too.
    private var acceptsAnyServer = false

    /// The values of parameters that the URL does not set. Times are in seconds, except for `tcp_user_timeout`, which is in milliseconds.
    private static let defaults: [(String, String)] = [
        ("target_session_attrs", "read-write"), ("connect_timeout", "2"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "10000"), ("fallback_application_name", "relist"),
    ]

    /// Parses a URL, without connecting.
    init(_ url: String, schema: String? = nil) throws(PostgresOpeningError) {
        var message: UnsafeMutablePointer<CChar>?
        guard Self.isURL(url), let options = PQconninfoParse(url, &message) else {
            defer { PQfreemem(message) }
            throw .badURL(reason: Self.withoutQuotation(PostgresResult.firstLine(message)))
        }
        defer { PQconninfoFree(options) }
        if Self.hasUnescapedAt(url) { throw .badURL(reason: "an @ or a / in a password is written as %40 or %2F") }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        // libpq checks ports only when it connects.
        let ports = values["port"].map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        guard ports.allSatisfy({ $0.isEmpty || UInt16($0) ?? 0 > 0 }) else { throw .badURL(reason: "a port is a number from 1 to 65535") }
        (self.url, self.schema) = (url, schema)
        let host = values["host"] ?? values["hostaddr"] ?? "the local server"
        description = "\(host)/\(values["dbname"] ?? values["user"] ?? "")"
    }

    /// The same address with sessions that change nothing.
    var readOnly: Self {
        var address = self
        address.isReadOnly = true
        return address
    }

    /// The same address, even if its server rejects writes.
    var ofAnyServer: Self {
        var address = self
        address.acceptsAnyServer = true
        return address
    }

    static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Returns a message of libpq without the part of the URL that the message quotes. The quoted part may contain a password.
    private static func withoutQuotation(_ reason: String) -> String {
        // The bytes of `: "`, which begin the quotation.
        let quotation: [UInt8] = [0x3A, 0x20, 0x22]
        let bytes = Array(reason.utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: quotation) }
        return String(decoding: bytes[..<(start ?? bytes.endIndex)], as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether the password in a URL seems to contain an unescaped `@`.
    ///
    /// libpq treats the text before the first `@` as the user and the password, unless a `/` precedes this `@`. An `@` in the rest of the
    /// URL, before the query, probably belongs to the password. libpq would treat a part of such a password as the name of a host or a
    /// database, and messages would show it.
    private static func hasUnescapedAt(_ url: String) -> Bool {
        guard let authority = url.utf8.firstIndex(of: UInt8(ascii: ":")).map({ url.utf8[$0...].dropFirst(3) }) else { return false }
        let end = authority.firstIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") }
        let hasUser = end.map { authority[$0] == UInt8(ascii: "@") } ?? false
        let rest = hasUser ? authority[end!...].dropFirst() : authority
        return rest.prefix { $0 != UInt8(ascii: "?") }.contains(UInt8(ascii: "@"))
    }

    /// Connects to the database, and blocks the current thread. The timeout applies to each host. The caller must finish the connection,
    /// even if connecting failed. Returns `nil` if there is no memory.
    func connect() -> OpaquePointer? {
        let options =
            Self.defaults + [("dbname", url), ("client_encoding", "UTF8")] + (acceptsAnyServer ? [("target_session_attrs", "any")] : [])
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
