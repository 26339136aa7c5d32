import GRDB
import Logging
import ScreenService
import Synchronization

// SQLite overwrites the log from its start when the whole log is copied into the database and no reader uses the log. While reads overlap,
// the log grows. Therefore, if the log is larger than `logLimit` after a write, the store tries to empty it.
//
// The store first tries to empty the log without waiting. If this fails because a reader uses the log, new readers of this program wait
// until the current readers of this program have finished, and the store tries once more. Readers of other programs are not waited for,
// because a backup can read for hours. If such a reader uses the log, the log stays as it is.
//
// After each further write, the store tries again to empty the log without waiting. New readers wait again only when the log has grown by
// another `logLimit`.
extension OwnFile {
    /// Empties the log if it is large, or if an earlier process has written it.
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

    /// Checks the files before the log is copied into the database. The frames are checked first, because a write can lengthen a truncated
    /// log until its size seems correct.
    private func checkLog(on database: Database) throws(DataUnavailable) {
        watch.checkCommit(since: watch.logHeader, on: database)
        try checkFiles()
    }

    /// Tries to empty the log, without waiting for readers. Returns `false` only if a reader uses the log.
    private func emptyLog(on database: Database) -> Bool {
        do {
            // The files are checked, because another program may have emptied the database. A checkpoint would then write only some of the
            // pages.
            try checkLog(on: database)
            // With a longer timeout, the checkpoint would wait for readers, and all writers would wait for the checkpoint.
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
