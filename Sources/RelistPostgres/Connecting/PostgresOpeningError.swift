/// An error that occurs when a database is opened. The database was not changed, unless the connection broke during the commit.
public enum PostgresOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a valid URL of PostgreSQL.
    case badURL(reason: String)
    /// The server does not answer, or rejects the connection.
    case unreachable(database: String, reason: String)
    /// The server is too old. `version` is its version as a number, such as 150018 for 15.18.
    case tooOld(database: String, version: Int)
    /// The user lacks a permission that the service needs.
    case noPermission(database: String, reason: String)
    /// A newer version of the program has run migrations that this version does not have.
    case newerSchema(database: String, unknownSteps: [String])
    /// A migration has failed.
    case failed(database: String, reason: String)

    /// A message in one line that says what is wrong and what to do about it.
    public var description: String {
        // Names and reasons may contain line feeds.
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private var text: String {
        switch self {
        case .badURL(let reason):
            "The database is not a PostgreSQL URL\(reason.isEmpty ? "" : " (\(reason))"). Use a URL such as postgres://user@host:5432/database."
        case .unreachable(let database, let reason):
            "The database \(database) cannot be reached: \(reason). Check that it runs and accepts this user, or name another one with --database."
        case .tooOld(let database, let version):
            "The server of \(database) is PostgreSQL \(version / 10_000). Relist needs \(PostgresSchema.oldestServer / 10_000) or later."
        case .noPermission(let database, let reason):
            "This user lacks a permission in \(database): \(reason). GRANT CREATE ON DATABASE to it, or start the service once as another user."
        case .newerSchema(let database, let steps):
            "The tables in \(database) are of a newer version (\(steps.joined(separator: ", "))). Start that version, or name another database."
        case .failed(let database, let reason):
            "The tables in \(database) could not be created: \(reason)."
        }
    }
}
