import Foundation

/// A folder for a database, which is there while a test uses it.
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
    /// The database that tests open in it.
    public var database: String { path + "/test.sqlite" }

    /// The names of what lies in it.
    public var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Moves the file with the database's name and this suffix away.
    public func hide(_ suffix: String) throws {
        try FileManager.default.moveItem(atPath: database + suffix, toPath: path + "/hidden" + suffix)
    }

    /// Moves it back to where it was, in place of what lies there.
    public func bringBack(_ suffix: String) throws {
        try? FileManager.default.removeItem(atPath: database + suffix)
        try FileManager.default.moveItem(atPath: path + "/hidden" + suffix, toPath: database + suffix)
    }

    /// Changes bytes of the database. Where it is open, SQLite loses its locks on it.
    public func overwrite(at offset: UInt64, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Cuts the file with the database's name and this suffix to that size; it may be open.
    public func cut(_ suffix: String, to size: Int) {
        truncate(database + suffix, off_t(size))
    }

    /// Whether there is a file with the database's name and this suffix.
    public func exists(_ suffix: String) -> Bool {
        FileManager.default.fileExists(atPath: database + suffix)
    }
}
