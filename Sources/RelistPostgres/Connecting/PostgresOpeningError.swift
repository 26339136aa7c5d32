/// Why a database could not be opened. Nothing in it was changed, unless the connection broke at the end.
public enum PostgresOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is none of PostgreSQL's.
    case badURL(reason: String)
    case unreachable(database: String, reason: String)
    /// The server's version as it counts them: 150018 is 15.18.
    case tooOld(database: String, version: Int)
    /// Something may not be done that has to be.
    case noPermission(database: String, reason: String)
    /// Another version of the program has made steps that this one does not know.
    case newerSchema(database: String, unknownSteps: [String])
    /// A step to the tables of today has failed.
    case failed(database: String, reason: String)

    /// What is wrong and what to do, in one line.
    public var description: String {
        // Whatever the names in it are.
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private var text: String {
        switch self {
        case .badURL(let reason):
            "The database is no URL of PostgreSQL's\(reason.isEmpty ? "" : " (\(reason))"). Give one such as postgres://user@host:5432/database."
        case .unreachable(let database, let reason):
            "The database \(database) cannot be reached: \(reason). See that it runs and lets this user in, or give another with --database."
        case .tooOld(let database, let version):
            "The server of \(database) is PostgreSQL \(version / 10_000). Relist needs \(PostgresSchema.oldestServer / 10_000) or later."
        case .noPermission(let database, let reason):
            "This user may not do in \(database) what the service needs: \(reason). GRANT CREATE ON DATABASE to it, or have another user start the service once."
        case .newerSchema(let database, let steps):
            "The tables in \(database) are of a newer version (\(steps.joined(separator: ", "))). Start that version, or give another database."
        case .failed(let database, let reason):
            "The tables in \(database) could not be made: \(reason)."
        }
    }
}
