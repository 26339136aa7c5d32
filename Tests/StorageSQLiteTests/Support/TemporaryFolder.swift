import Foundation
import Logging
import ScreenService
@testable import StorageSQLite

/// A folder that is there while a test uses it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = folder.appendingPathComponent("relist-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The database that tests open in it.
    var database: String { path + "/test.sqlite" }

    func open(
        _ topics: any TopicAnnouncing = Announcements(), logger: Logger = Logger(label: "test")
    ) throws(StorageError) -> SQLiteStore {
        try SQLiteStore.open(path: database, topics: topics, logger: logger)
    }

    /// Moves the file with the database's name and this suffix away.
    func hide(_ suffix: String) throws {
        try FileManager.default.moveItem(atPath: database + suffix, toPath: path + "/hidden" + suffix)
    }

    /// Moves it back to where it was, in place of what lies there.
    func bringBack(_ suffix: String) throws {
        try? FileManager.default.removeItem(atPath: database + suffix)
        try FileManager.default.moveItem(atPath: path + "/hidden" + suffix, toPath: database + suffix)
    }

    /// Changes bytes of the database, which must not be open.
    func overwrite(at offset: UInt64, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Whether there is a file with the database's name and this suffix.
    func exists(_ suffix: String) -> Bool {
        FileManager.default.fileExists(atPath: database + suffix)
    }
}
