import GRDB
import GRDBSQLite

/// The index of the write-ahead log, which all connections to the database share in memory.
///
/// The log is a list of frames. Each frame contains one page of the database, and the last frame of a commit is marked. The index counts
/// the frames. SQLite lengthens the log before it updates the index, and shortens the log after it has updated the index. Therefore, if the
/// log is shorter than its size in the index, another program has truncated the log.
///
/// If SQLite appends a commit to a truncated log, frames are missing before the commit, and the file contains zeros in their place. When
/// the database is opened again, all commits after the missing frames are lost. ``cutLogAtHole(since:on:)`` truncates the log before the
/// missing frames. The log is then shorter than its size in the index, which shows that commits are lost.
///
/// `Sendable` is unchecked, because this type only reads the memory. SQLite keeps the memory mapped while this process has a connection to
/// the database. `OwnFile` reads the memory only while its writing connection is open.
struct LogIndex: @unchecked Sendable {
    private static let regionSize: CInt = 32 << 10
    private static let headerSize = 32

    private let memory: UnsafeRawPointer

    /// Maps the index, or returns `nil` if the database has no write-ahead log. The connection must have read from the database.
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

        /// The minimum size of the log in bytes, according to the index.
        var logSize: Int {
            isComplete && frameCount > 0 ? position(ofFrame: frameCount + 1) : 0
        }

        /// A Boolean value that indicates whether SQLite would start a checkpoint by default (pragma `wal_autocheckpoint`).
        var isCheckpointDue: Bool { isComplete && frameCount >= 1000 }

        /// Returns the offset of a frame in the log. The first frame has the number 1.
        fileprivate func position(ofFrame number: Int) -> Int {
            LogIndex.headerSize + (number - 1) * (24 + pageSize)
        }
    }

    var header: Header { Header(memory) }
    /// The second copy of the header. It differs from `header` only while a program changes the index.
    private var copy: Header { Header(memory + 48) }
    /// The number of frames that SQLite has copied into the database (`nBackfill`).
    private var copiedCount: Int { Int(memory.load(fromByteOffset: 96, as: UInt32.self)) }
}

// MARK: - Missing frames

extension LogIndex {
    /// If frames are missing, truncates the log after the last complete commit before the first missing frame.
    ///
    /// Salts are random numbers in the index, in the header of the log and in each frame. A frame is missing if its salts differ from the
    /// salts in the index. SQLite changes the salts when it starts the log again from its beginning (sqlite.org/fileformat2.html, 4.1).
    ///
    /// A later checkpoint fails at the end of the truncated log. It copies neither zeros nor a part of a commit into the database. If
    /// SQLite has already copied later commits into the database, the log is emptied, because its older pages would replace newer pages in
    /// the database.
    ///
    /// - Parameter before: the header of the index before the transaction began.
    func cutLogAtHole(since before: Header, on database: Database) {
        let now = header
        guard now.logSize > 0, let log = LogFile(database) else { return }
        // If the log cannot be read, the frame is assumed to exist.
        let isThere = { offset in log.number(at: offset) ?? now.salts == now.salts }
        let isHeaderThere = isThere(LogFile.saltsInHeader)
        let isFrameThere = { isThere(now.position(ofFrame: $0) + LogFile.saltsInFrame) }
        // The smaller count is used, because another program may have changed the index while `before` was read.
        let last = now.salts == before.salts ? min(before.frameCount, now.frameCount) : 0
        // If the index has changed, SQLite may have started the log again. In this case, the log is not truncated.
        guard !isHeaderThere || last > 0 && !isFrameThere(last), header == now, copy == now else { return }
        let firstMissing = isHeaderThere ? (1...now.frameCount).first { !isFrameThere($0) } ?? 1 : 1
        // The frame before the first missing frame is not examined, because another program may have truncated the log within that frame.
        let lastCommit = (1..<max(1, firstMissing - 1)).last { log.isCommit(at: now.position(ofFrame: $0)) }
        let kept = lastCommit.flatMap { $0 < copiedCount ? nil : $0 }
        log.cut(to: kept.map { now.position(ofFrame: $0 + 1) } ?? 0)
    }
}

/// The write-ahead log, which is accessed through the open file of a connection.
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

    /// Returns the number at an offset in the log: 0 after the end of the log, `nil` if the log cannot be read.
    func number<Number: FixedWidthInteger>(at offset: Int) -> Number? {
        var number: Number = 0
        let code = methods.xRead(file, &number, CInt(MemoryLayout<Number>.size), Int64(offset))
        return code == SQLITE_OK || ResultCode(rawValue: code) == .SQLITE_IOERR_SHORT_READ ? number : nil
    }

    // The last frame of a commit contains the number of pages in the database. Other frames contain 0.
    func isCommit(at offset: Int) -> Bool {
        let pageCount: UInt32? = number(at: offset + 4)
        return pageCount ?? 0 != 0
    }

    func cut(to size: Int) {
        _ = methods.xTruncate(file, Int64(size))
    }
}
