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

    /// Hides a file of the database by giving it another name.
    ///
    /// - Parameter suffix: the suffix of the file name, such as `-wal`, or an empty string for the main file.
    public func hide(_ suffix: String) throws {
        try FileManager.default.moveItem(atPath: database + suffix, toPath: path + "/hidden" + suffix)
    }

    /// Gives a hidden file its original name again. An existing file with this name is replaced.
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

    /// Truncates a file of the database to a size. The file may be open.
    public func cut(_ suffix: String, to size: Int) {
        truncate(database + suffix, off_t(size))
    }

    /// Returns a Boolean value that indicates whether the database has a file with this suffix.
    public func exists(_ suffix: String) -> Bool {
        FileManager.default.fileExists(atPath: database + suffix)
    }
}
