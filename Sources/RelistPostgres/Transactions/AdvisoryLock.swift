/// A lock that one replica at a time holds, by its two numbers (PostgreSQL 15, section 13.3.5).
struct AdvisoryLock: Hashable {
    /// Of all locks of the service: "RELI".
    private static let space: Int32 = 0x5245_4C49

    private let number: Int32

    /// Held from the drawing of a position to the end of the commit, so that positions grow in the order of commits.
    static let commits = AdvisoryLock(number: 1)
    /// Held while the tables are made.
    static let schema = AdvisoryLock(number: 2)
    /// Held by whoever lets go of what is too old.
    static let forgetting = AdvisoryLock(number: 3)

    /// One of a team's, by its name. Two names may share one, which costs some waiting.
    static func named(_ name: String) -> AdvisoryLock {
        // FNV-1a (Fowler, Noll, Vo): the same on all replicas.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return AdvisoryLock(number: Int32(bitPattern: hash | 1 << 31))
    }

    /// Takes it for as long as the connection lasts, and says whether nobody else holds it.
    var asking: Statement { Statement("SELECT pg_try_advisory_lock($1, $2)", arguments) }

    var arguments: [PostgresArgument] { [Int(Self.space).postgresArgument, Int(number).postgresArgument] }
}
