import Dispatch
import Foundation
import GRDB
import LogLines
import Logging
import ScreenService
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("The write-ahead log", .timeLimit(.minutes(1))) struct LogTests {
    private let limit = 64 << 10

    @Test func theLogDoesNotExceedItsLimit() async throws {
        let folder = try TemporaryFolder()
        let file = try open(in: folder)
        for index in 0..<40 {
            try await write(index, to: file)
            #expect(logSize(in: folder) <= limit)
        }
        #expect(try await SQLiteHistory(database: file).records(of: (0..<40).map { HistoryRecord.some(version: $0).key }).count == 40)
        await file.close()
    }

    @Test func aFailedCheckpointEndsTheProcessOnlyIfAnFsyncFailed() async throws {
        let folder = try TemporaryFolder()
        let file = try OwnFile(path: folder.database, schema: Schema(), logger: Logger(label: "test"), endProcess: {})
        for code in [ResultCode.SQLITE_FULL, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHORT_READ, .SQLITE_BUSY] {
            file.failure.noteFailedCheckpoint(DatabaseError(resultCode: code))
            #expect(!file.failure.hasBegun)
        }
        file.failure.noteFailedCheckpoint(DatabaseError(resultCode: .SQLITE_IOERR_FSYNC))
        #expect(file.failure.hasBegun)
        await file.close()
    }

    @Test func theLogStaysSmallEvenIfReadsAlwaysOverlap() async throws {
        let folder = try TemporaryFolder()
        let file = try open(in: folder)
        var reading = HeldRead(of: file)
        await reading.begin()
        for index in 0..<40 {
            try await write(index, to: file)
            let next = HeldRead(of: file)
            try await reading.end()
            await next.begin()
            reading = next
            #expect(logSize(in: folder) <= 2 * limit)
        }
        try await reading.end()
        await file.close()
    }

    @Test func aLongReadByAnotherProgramDelaysOnlyTheEmptyingOfTheLog() async throws {
        let folder = try TemporaryFolder()
        let lines = LogLines()
        let file = try open(in: folder, busyTimeout: .seconds(3600), logger: lines.logger)
        let foreign = try ForeignReader(of: folder.database)
        try foreign.begin()
        for index in 0..<20 {
            try await write(index, to: file)
            _ = try await SQLiteHistory(database: file).records(of: [HistoryRecord.some(version: 0).key])
        }
        #expect(logSize(in: folder) > limit)
        #expect(lines.messages.contains("warning: the write-ahead log cannot be emptied while another program reads the database"))
        #expect(lines.messages.count <= logSize(in: folder) / limit)
        try foreign.end()
        try await write(20, to: file)
        #expect(logSize(in: folder) <= limit)
        await file.close()
    }

    /// The log is emptied when the database is opened, because a part of the log may be missing on the disk. See `DiskFailure`.
    @Test func theLogOfAnEarlierProcessIsEmptiedWhenTheDatabaseIsOpened() async throws {
        let folder = try TemporaryFolder()
        let file = try open(in: folder)
        // The first write may empty the log, so writes are repeated until the log is large enough.
        repeat { try await write(0, to: file) } while logSize(in: folder) < limit / 4
        // A killed process would leave these two files. The test restores them after the database is closed.
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.database + "-wal"))
        let database = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        await file.close()
        try database.write(to: URL(fileURLWithPath: folder.database))
        try log.write(to: URL(fileURLWithPath: folder.database + "-wal"))
        let reopened = try open(in: folder)
        #expect(logSize(in: folder) == 0)
        #expect(try await SQLiteHistory(database: reopened).records(of: [HistoryRecord.some(version: 0).key]).count == 1)
        await reopened.close()
    }

    private func open(
        in folder: TemporaryFolder, busyTimeout: Duration = .seconds(5), logger: Logger = Logger(label: "test")
    ) throws -> OwnFile {
        try OwnFile(
            path: folder.database, schema: Schema(adding: [.notes]), logger: logger, logLimit: limit, busyTimeout: busyTimeout
        )
    }

    private func write(_ index: Int, to file: OwnFile) async throws {
        let record = HistoryRecord.some(version: UInt64(index), outline: Array(repeating: 7, count: 20_000))
        try await SQLiteHistory(database: file).write(HistoryBatch(saving: [record]))
    }

    private func logSize(in folder: TemporaryFolder) -> Int {
        FilePath.size(of: folder.database + "-wal")
    }
}

/// A read transaction that lasts until ``end()`` is called.
private final class HeldRead: Sendable {
    private let mayEnd = DispatchSemaphore(value: 0)
    private let hasBegun: AsyncStream<Void>
    private let task: Task<Void, any Error>

    init(of file: OwnFile) {
        let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
        self.hasBegun = hasBegun
        task = Task { [mayEnd] in
            try await file.read { database in
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
                began.finish()
                mayEnd.wait()
            }
        }
    }

    func begin() async {
        for await _ in hasBegun {}
    }

    func end() async throws {
        mayEnd.signal()
        try await task.value
    }
}

/// A connection that reads a database as another program would.
struct ForeignReader {
    private let queue: DatabaseQueue

    init(of path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    func begin() throws {
        try queue.inDatabase { database in
            try database.beginTransaction(.deferred)
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        }
    }

    func end() throws {
        try queue.inDatabase { try $0.commit() }
        try queue.close()
    }
}
