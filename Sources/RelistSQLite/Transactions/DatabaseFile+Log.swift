import GRDB
import Logging
import ScreenService
import Synchronization

// SQLite reuses the log from its start when it was copied into the database to its end and nobody
// reads from it. Readers that overlap without a gap would let it grow without end.
extension DatabaseFile {
    /// Empties a log that is large, or that an earlier process has left. While there are readers in it, it has those of this program pause.
    ///
    /// The disk may have refused a part of the log of an earlier process (``DiskFailure``). After a loss of power the log would end there, and
    /// what was committed after it would not be found.
    ///
    /// It waits for nobody: a backup may read for hours. The next write tries again; for pauses, the
    /// log has to have grown by as much again.
    func emptyLogIfDue(on database: Database) {
        copyLogIfDue(on: database)
        let size = watch.logSize.load(ordering: .relaxed)
        guard size > logLimit || mayLogHaveHole.load(ordering: .relaxed), !failure.hasBegun,
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
        guard watch.logHeader?.isCheckpointDue == true, !failure.hasBegun, (try? checkLog(on: database)) != nil else { return }
        do { _ = try database.checkpoint(.passive) } catch { noteFailedCheckpoint(error) }
    }

    /// Checks the files before the log is copied into the database. A large write lengthens the log even if it fails, beyond a place
    /// where another program has cut it.
    private func checkLog(on database: Database) throws(DataUnavailable) {
        watch.checkCommit(since: watch.logHeader, on: database)
        try checkFiles()
    }

    /// Ends the process after a failed `fsync`. Any other error loses nothing, as the log has all that was committed: a quota that is used up, or
    /// a log that another program has cut short meanwhile. It would come again in each process that opens the file.
    func noteFailedCheckpoint(_ error: any Error) {
        guard let error = error as? DatabaseError else { return }
        if [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(error.extendedResultCode) { failure.begin(error) }
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
            noteFailedCheckpoint(error)
            if !hasEmptyingFailed.exchange(true, ordering: .relaxed) {
                logger.warning("the write-ahead log could not be emptied", metadata: ["error": "\(error)"])
            }
            return true
        }
    }
}
