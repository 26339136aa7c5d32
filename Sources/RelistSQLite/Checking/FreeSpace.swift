import ScreenService

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The free space of the disk on which a database lies.
struct FreeSpace {
    /// The number of bytes that this process can write; `nil` if it is unknown.
    let bytes: Int?

    init(bytes: Int?) {
        self.bytes = bytes
    }

    init(beside file: FilePath) {
        var status = statvfs()
        bytes = statvfs(file.folder, &status) == 0 ? Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize)) : nil
    }

    /// The space that a start needs for the log, its index and the lock file.
    private static let least = 64 << 10
    private static let usual = 1_000_000_000

    /// Returns an error if nothing can be written, and a warning below 1 GB and below twice the size of the database. A copy of the
    /// database and its log need that much.
    func finding(forDatabaseOf size: Int) -> CheckFinding {
        guard let bytes else { return .warning("disk space", "it is unknown. Check that there is 1 GB or more.") }
        let free = "\(bytes / 1_000_000) MB are free"
        let needed = max(Self.usual, 2 * size)
        if bytes < Self.least { return .error("disk space", "\(free), so nothing can be written. Free some.") }
        guard bytes >= needed else { return .warning("disk space", "\(free). Free some, up to \(needed / 1_000_000) MB.") }
        return .ok("disk space", free)
    }
}
