import Dispatch
import Foundation
import GRDB
import Logging
import ScreenService
import Synchronization

/// Ends the process if an error of the disk leaves it unknown whether a commit is durable.
///
/// After a failed `fsync`, the operating system may discard the data, and the next `fsync` may report no error. The durability of all later
/// commits would be unknown. Therefore the process ends, as PostgreSQL does. Until then, the actions of the failed commit have the outcome
/// `unknown`, and all other transactions are rejected.
///
/// The next process finds the commits that are in the log. When it opens the database, it copies these commits into the database and then
/// empties the log, because a part of the log may be missing on the disk. If the log were kept until a power failure, SQLite would ignore
/// the log from the missing part on, and all commits in the ignored part would be lost.
final class DiskFailure: Sendable {
    private let hasFailed = Atomic(false)
    private let logger: Logger
    private let endProcess: @Sendable () -> Void

    /// `endProcess` is called once, after the first failure.
    init(logger: Logger, endProcess: @escaping @Sendable () -> Void = DiskFailure.endProcess) {
        (self.logger, self.endProcess) = (logger, endProcess)
    }

    var hasBegun: Bool { hasFailed.load(ordering: .acquiring) }

    func check() throws(DataUnavailable) {
        if hasBegun { throw DataUnavailable(reason: "the disk has failed") }
    }

    func begin(_ error: any Error) {
        guard !hasFailed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let cause = (error as? DatabaseError)?.resultCode == .SQLITE_NOMEM ? "there is no memory" : "the disk has failed"
        logger.critical(
            "\(cause), so it is not known whether a commit is durable; the process ends, and the next one finds what was committed",
            metadata: ["error": "\(error)"])
        endProcess()
    }

    /// Ends the process if a checkpoint failed in `fsync`. After any other error, such as an exhausted quota, the log still contains all
    /// commits. The process does not end, because the error would occur again in the next process.
    func noteFailedCheckpoint(_ error: any Error) {
        guard let error = error as? DatabaseError else { return }
        if [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(error.extendedResultCode) { begin(error) }
    }

    /// The time between a failure and the end of the process, in which requests in progress receive their responses.
    private static let responseTime = DispatchTimeInterval.seconds(1)

    /// Ends the process with the status `EX_IOERR` of `sysexits.h`. Calls that hang do not delay the end.
    static let endProcess: @Sendable () -> Void = {
        DispatchQueue.global().asyncAfter(deadline: .now() + responseTime) { _exit(EX_IOERR) }
    }
}
