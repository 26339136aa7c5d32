import Dispatch
import Foundation
import GRDB
import Logging
import ScreenService
import Synchronization

/// Ends the process after a commit or a checkpoint if it is unknown whether the data is durable.
///
/// After a failed `fsync`, the operating system may discard the data and report no error the next time. So it would be unknown whether any
/// later commit is durable. This type logs the error and ends the process, like PostgreSQL. The next process finds the commits that are in
/// the log.
///
/// Until the process ends, the actions of the failed commit have the outcome `unknown`, and all other transactions are rejected.
final class DiskFailure: Sendable {
    private let hasFailed = Atomic(false)
    private let logger: Logger
    private let endProcess: @Sendable () -> Void

    /// Creates an object for a disk that has not failed yet.
    ///
    /// - Parameter endProcess: ends the process. It is called once, after the first failure.
    init(logger: Logger, endProcess: @escaping @Sendable () -> Void = DiskFailure.endProcess) {
        (self.logger, self.endProcess) = (logger, endProcess)
    }

    var hasBegun: Bool { hasFailed.load(ordering: .acquiring) }

    /// Rejects a transaction after a failure of the disk.
    ///
    /// - Throws: `DataUnavailable` if the disk has failed.
    func check() throws(DataUnavailable) {
        if hasBegun { throw DataUnavailable(reason: "the disk has failed") }
    }

    /// Logs the error with its cause, and ends the process.
    func begin(_ error: any Error) {
        guard !hasFailed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let cause = (error as? DatabaseError)?.resultCode == .SQLITE_NOMEM ? "there is no memory" : "the disk has failed"
        logger.critical(
            "\(cause), so it is not known whether a commit is durable; the process ends, and the next one finds what was committed",
            metadata: ["error": "\(error)"])
        endProcess()
    }

    /// Ends the process if a checkpoint failed in `fsync`.
    ///
    /// Other errors lose nothing, because the log still contains all commits. Examples are an exhausted quota and a log that another
    /// program has truncated. Ending the process would not help, because such an error would occur again in each process that opens the
    /// file.
    func noteFailedCheckpoint(_ error: any Error) {
        guard let error = error as? DatabaseError else { return }
        if [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(error.extendedResultCode) { begin(error) }
    }

    /// The time between a failure and the end of the process. During this time, requests in progress receive their responses.
    private static let responseTime = DispatchTimeInterval.seconds(1)

    /// Ends the process with the status `EX_IOERR` of `sysexits.h`. Calls that hang do not delay the end.
    static let endProcess: @Sendable () -> Void = {
        DispatchQueue.global().asyncAfter(deadline: .now() + responseTime) { _exit(EX_IOERR) }
    }
}
