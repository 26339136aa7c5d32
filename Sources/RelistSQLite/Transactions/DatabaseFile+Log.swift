import GRDB
import Logging
import ScreenService
import Synchronization

// SQLite reuses the log from its start when it was copied into the database to its end and nobody
// reads from it. Readers that overlap without a gap would let it grow without end.
extension DatabaseFile {
    /// Empties a log that is large, or of which the disk has refused a part, if nobody reads from it, and lets this program's
    /// readers pause otherwise.
    ///
    /// What the disk has refused once the system may never write, though it says nothing of it the next time. After a loss of
    /// power the log would end there, and what was committed after it would not be found.
    ///
    /// It waits for nobody: a backup may read for hours. The next write tries again; for pauses, the
    /// log has to have grown by as much again, or to have been refused again.
    func emptyLogIfDue(on database: Database) {
        copyLogIfDue(on: database)
        let size = watch.logSize.load(ordering: .relaxed)
        guard size > logLimit || mayLogHaveHole.load(ordering: .relaxed), !isLogInDoubt.load(ordering: .relaxed),
            !emptyLog(on: database), size > pausingSize.load(ordering: .relaxed), (try? gate.enter()) != nil
        else { return }
        pausingSize.store(size + logLimit, ordering: .relaxed)
        pool.asyncBarrierWriteWithoutTransaction { [self] database in
            defer { gate.leave() }
            guard let database = try? database.get(), !emptyLog(on: database) else { return }
            logger.warning(
                "the write-ahead log cannot be emptied while another program reads the database", metadata: ["bytes": "\(size)"]
            )
        }
    }

    /// Copies the log into the database as often as SQLite does by default, but checks the files before.
    private func copyLogIfDue(on database: Database) {
        guard watch.logHeader?.isCheckpointDue == true, !isLogInDoubt.load(ordering: .relaxed), (try? checkLog(on: database)) != nil else { return }
        _ = try? database.checkpoint(.passive)
    }

    /// Checks the files before the log is copied into the database. A large write lengthens the log even if it fails, beyond a place
    /// where another program has cut it.
    private func checkLog(on database: Database) throws(DataUnavailable) {
        watch.checkCommit(since: watch.logHeader, on: database)
        try checkFiles()
    }

    /// Writes over a commit that failed. It is undone, and in the log all the same, where the process that opens the file
    /// next would find it.
    ///
    /// - Throws: what keeps it there. Until this succeeds nobody knows what will have become of it.
    func writeOverFailedCommit(on database: Database) throws {
        isLogInDoubt.store(true, ordering: .relaxed)
        mayLogHaveHole.store(true, ordering: .relaxed)
        pausingSize.store(0, ordering: .relaxed)
        try database.setDurability(.lossOfPower)
        let logHeader = watch.logHeader
        try database.writeFirstPage()
        watch.checkCommit(since: logHeader, on: database)
        isLogInDoubt.store(false, ordering: .relaxed)
    }

    /// - Returns: false if somebody reads from the log.
    private func emptyLog(on database: Database) -> Bool {
        do {
            // A database that somebody has emptied would be filled with some of its pages.
            try checkLog(on: database)
            // A checkpoint that truncates would wait for readers as long as for locks, and let writers wait.
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            defer { try? database.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeout / .milliseconds(1)))") }
            try database.checkpoint(.truncate)
            pausingSize.store(logLimit, ordering: .relaxed)
            mayLogHaveHole.store(false, ordering: .relaxed)
            hasEmptyingFailed.store(false, ordering: .relaxed)
            return true
        } catch is DataUnavailable {
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        } catch {
            // A disk that fails here may have refused a part of the log as well.
            if !mayLogHaveHole.exchange(true, ordering: .relaxed) { pausingSize.store(0, ordering: .relaxed) }
            if !hasEmptyingFailed.exchange(true, ordering: .relaxed) {
                logger.warning("the write-ahead log could not be emptied", metadata: ["error": "\(error)"])
            }
            return true
        }
    }
}
