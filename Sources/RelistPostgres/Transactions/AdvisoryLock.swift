/// An advisory lock, which only one replica holds at a time. Two numbers identify the lock (PostgreSQL 15, section 13.3.5).
struct AdvisoryLock: Hashable {
    /// The first number of a lock. All locks of the service have the same first number, whose bytes are the text "RELI".
    private static let space: Int32 = 0x5245_4C49

    private let number: Int32

    /// The lock of commits. A commit acquires the lock before it gets its position, and holds the lock until the commit ends. Therefore the
    /// positions increase in the order of the commits.
    static let commits = AdvisoryLock(number: 1)
    /// The lock of migrations.
    static let schema = AdvisoryLock(number: 2)
    /// The lock for the removal of old versions, receipts and announcements.
    static let removal = AdvisoryLock(number: 3)

    /// Returns a lock for a name that a team has chosen. Two names can share a lock, which is held for only one of them at a time.
    static func named(_ name: String) -> AdvisoryLock {
        // The hash is FNV-1a (Fowler, Noll, Vo), which is the same on all replicas.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return AdvisoryLock(number: Int32(bitPattern: hash | 1 << 31))
    }

    /// A statement that tries once to acquire the lock, and returns true on success. The lock is held until the connection ends.
    var tryLock: Statement { Statement("SELECT pg_try_advisory_lock($1, $2)", arguments) }

    var arguments: [PostgresArgument] { [Int(Self.space).postgresArgument, Int(number).postgresArgument] }
}
