import GRDB
import Logging
import ScreenService
import Synchronization

// SQLite overwrites the log from its start as soon as the whole log is copied into the database and no reader uses the log. Until
// then, the log grows, for example while reads overlap.
extension OwnFile {
    /// Empties the log if it is large, or if an earlier process has written it. If readers of this program use the log, new readers wait
    /// until the log is emptied.
    ///
    /// The log of an earlier process is emptied, because a part of it may be missing on the disk, as ``DiskFailure`` explains. If the log
    /// were kept, it could end at the missing part after a power failure, and later commits would be lost.
    ///
    /// This function does not wait for readers of other programs, because a backup can read for hours. If such a reader uses the log,
    /// the next write tries to empty the log again. New readers of this program wait for this attempt only if the log has grown by
    /// `logLimit` since the last attempt for which they waited.
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

    /// Checks the files, and copies the log into the database when SQLite would copy it by default.
    private func copyLogIfDue(on database: Database) {
        guard watch.logHeader?.isCheckpointDue == true, !failure.hasBegun, (try? checkLog(on: database)) != nil else { return }
        do { _ = try database.checkpoint(.passive) } catch { failure.noteFailedCheckpoint(error) }
    }

    /// Checks the files before the log is copied into the database.
    ///
    /// If another program has truncated the log, even a failed write can lengthen the log again. Then the size of the log no longer
    /// shows that it was truncated.
    private func checkLog(on database: Database) throws(DataUnavailable) {
        watch.checkCommit(since: watch.logHeader, on: database)
        try checkFiles()
    }

    /// Tries to empty the log, without waiting for readers.
    ///
    /// - Returns: `false` if a reader uses the log, `true` otherwise.
    private func emptyLog(on database: Database) -> Bool {
        do {
            // If another program has emptied the database, a checkpoint would write only some of its pages.
            try checkLog(on: database)
            // With a timeout, the checkpoint would also wait for readers, and all writers would wait for the checkpoint.
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
            failure.noteFailedCheckpoint(error)
            if !hasEmptyingFailed.exchange(true, ordering: .relaxed) {
                logger.warning("the write-ahead log could not be emptied", metadata: ["error": "\(error)"])
            }
            return true
        }
    }
}
