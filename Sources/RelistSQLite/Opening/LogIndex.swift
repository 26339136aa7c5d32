import GRDB
import GRDBSQLite

/// The index of the write-ahead log, which all connections to the database share in memory.
///
/// SQLite lengthens the log before it updates the index, and shortens the log after that. So a log that is shorter than the
/// index says was cut by another program. Commits that are appended to such a log are lost when the database is opened next.
/// They lie behind a hole in the log.
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
        fileprivate let salts: UInt64
        private let isComplete: Bool
        private let pageSize: Int
        fileprivate let frameCount: Int

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
            isComplete && frameCount > 0 ? position(ofFrame: frameCount + 1) : 0
        }

        /// A Boolean value that indicates whether SQLite would start a checkpoint (sqlite.org/pragma.html#pragma_wal_autocheckpoint).
        var isCheckpointDue: Bool { isComplete && frameCount >= 1000 }

        /// The position of a frame in the log, counted from 1.
        fileprivate func position(ofFrame number: Int) -> Int {
            LogIndex.headerSize + (number - 1) * (24 + pageSize)
        }
    }

    var header: Header { Header(memory) }
    /// The second copy of the header. It is equal unless a program is changing the header.
    private var copy: Header { Header(memory + 48) }
    /// The number of frames that SQLite has copied into the database (`nBackfill`).
    private var copiedCount: Int { Int(memory.load(fromByteOffset: 96, as: UInt32.self)) }
}

// MARK: - Holes

extension LogIndex {
    /// Cuts the log after the last commit before its hole, if another program cut it after `before` was read.
    ///
    /// Then the log is shorter than the index says, and a checkpoint fails at its end. It copies neither the hole into the database nor
    /// a part of a commit. If SQLite has already copied later commits into the database, the log is emptied: pages in the log
    /// take the place of newer ones in the database.
    ///
    /// The salts in the header of the log and in its frames change when SQLite begins the log anew (sqlite.org/fileformat2.html, 4.1).
    /// A hole has none.
    ///
    /// - Parameter before: the header of the index before the transaction began.
    func cutLogAtHole(since before: Header, on database: Database) {
        let now = header
        guard now.logSize > 0, let log = LogFile(database) else { return }
        // A log that cannot be read is not known to have a hole.
        let isThere = { offset in log.number(at: offset) ?? now.salts == now.salts }
        let isHeaderThere = isThere(LogFile.saltsInHeader)
        let isFrameThere = { isThere(now.position(ofFrame: $0) + LogFile.saltsInFrame) }
        // Another program may have changed `before` while it was read.
        let last = now.salts == before.salts ? min(before.frameCount, now.frameCount) : 0
        // If the index has changed, SQLite may have begun the log anew since.
        guard !isHeaderThere || last > 0 && !isFrameThere(last), header == now, copy == now else { return }
        let firstMissing = isHeaderThere ? (1...now.frameCount).first { !isFrameThere($0) } ?? 1 : 1
        // Another program may have cut the frame before the hole in its middle.
        let lastCommit = (1..<max(1, firstMissing - 1)).last { log.isCommit(at: now.position(ofFrame: $0)) }
        let kept = lastCommit.flatMap { $0 < copiedCount ? nil : $0 }
        log.cut(to: kept.map { now.position(ofFrame: $0 + 1) } ?? 0)
    }
}

/// The write-ahead log as a connection has it open.
private struct LogFile {
    static let saltsInHeader = 16, saltsInFrame = 8

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    init?(_ database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods
        else { return nil }
        (self.file, self.methods) = (file, methods.pointee)
    }

    /// Zero beyond the end of the log; nil where it cannot be read.
    func number<Number: FixedWidthInteger>(at offset: Int) -> Number? {
        var number: Number = 0
        let code = methods.xRead(file, &number, CInt(MemoryLayout<Number>.size), Int64(offset))
        return code == SQLITE_OK || ResultCode(rawValue: code) == .SQLITE_IOERR_SHORT_READ ? number : nil
    }

    /// The frame of a commit has the number of pages in the database; other frames have 0.
    func isCommit(at offset: Int) -> Bool {
        let pageCount: UInt32? = number(at: offset + 4)
        return pageCount ?? 0 != 0
    }

    func cut(to size: Int) {
        _ = methods.xTruncate(file, Int64(size))
    }
}
