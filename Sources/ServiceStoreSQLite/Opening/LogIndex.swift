import GRDB
import GRDBSQLite

/// The index of the write-ahead log, which all who have the database open share in memory.
///
/// SQLite makes the log longer before the index says so, and shorter after the index does. So a log that is shorter than
/// the index says was cut by something else: what SQLite appends to it is not found when the database is opened next.
///
/// Unchecked: the memory is read alone. It stays where it is while a connection of this process is open, and whoever
/// reads it sees to that.
struct LogIndex: @unchecked Sendable {
    private static let regionSize: CInt = 32 << 10
    private static let headerSize = 32

    private let memory: UnsafeRawPointer

    /// Nil where the database has no write-ahead log.
    ///
    /// - Parameter database: a connection that has read.
    init?(_ database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var memory: UnsafeMutableRawPointer?
        guard sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            methods.pointee.xShmMap(file, 0, Self.regionSize, 0, &memory) == SQLITE_OK, let memory
        else { return nil }
        self.memory = UnsafeRawPointer(memory)
    }

    /// What the index says of the log (sqlite.org/walformat.html, 2.1).
    struct Header: Equatable {
        private let change: UInt32
        private let salts: UInt64
        private let isComplete: Bool
        private let pageSize: Int
        private let frameCount: Int

        fileprivate init(_ memory: UnsafeRawPointer) {
            change = memory.load(fromByteOffset: 8, as: UInt32.self)
            isComplete = memory.load(fromByteOffset: 12, as: UInt8.self) != 0
            let size = Int(memory.load(fromByteOffset: 14, as: UInt16.self))
            pageSize = size == 1 ? 65_536 : size
            frameCount = Int(memory.load(fromByteOffset: 16, as: UInt32.self))
            salts = memory.load(fromByteOffset: 32, as: UInt64.self)
        }

        /// The least bytes that the log has.
        var logSize: Int {
            isComplete && frameCount > 0 ? LogIndex.headerSize + frameCount * (24 + pageSize) : 0
        }
    }

    var header: Header { Header(memory) }
}
