import Foundation

/// A folder for a database. It is removed when the object is deallocated.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = folder.appendingPathComponent("relist-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    public var name: String { URL(fileURLWithPath: path).lastPathComponent }
    /// The path of the database.
    public var database: String { path + "/test.sqlite" }

    /// The names of the files in the folder.
    public var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Renames the database file with this suffix, such as `-wal`. The suffix of the main file is empty.
    public func hide(_ suffix: String) throws {
        try FileManager.default.moveItem(atPath: database + suffix, toPath: path + "/hidden" + suffix)
    }

    /// Gives the hidden file its original name again. If a file with this name exists, it is replaced.
    public func bringBack(_ suffix: String) throws {
        try? FileManager.default.removeItem(atPath: database + suffix)
        try FileManager.default.moveItem(atPath: path + "/hidden" + suffix, toPath: database + suffix)
    }

    /// Overwrites bytes of the database file. If the database is open, SQLite loses its locks on the file.
    public func overwrite(at offset: UInt64, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Truncates the database file with this suffix to a size. The file may be open.
    public func cut(_ suffix: String, to size: Int) {
        truncate(database + suffix, off_t(size))
    }

    /// Returns a Boolean value that indicates whether the database file with this suffix exists.
    public func exists(_ suffix: String) -> Bool {
        FileManager.default.fileExists(atPath: database + suffix)
    }
}
