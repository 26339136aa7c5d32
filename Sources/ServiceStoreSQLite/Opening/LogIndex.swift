import GRDB
import GRDBSQLite

/// The index of the write-ahead log, which all connections to the database share in memory.
///
/// SQLite lengthens the log before it updates the index, and shortens the log after that. So a log that is shorter than the
/// index says was cut by another program. Commits that are appended to such a log are lost when the database is opened next.
///
/// Unchecked: this type only reads the memory. SQLite keeps it mapped while this process has a connection to the database, and
/// `DatabaseFile` reads it only while its writing connection is open.
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

    /// The header of the index (sqlite.org/walformat.html, 2.1).
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

        /// The least number of bytes that the log must have.
        var logSize: Int {
            isComplete && frameCount > 0 ? LogIndex.headerSize + frameCount * (24 + pageSize) : 0
        }
    }

    var header: Header { Header(memory) }
}
