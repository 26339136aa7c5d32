import Dispatch
import Foundation
import Logging
import ScreenService
import Synchronization

/// The end of the process after the disk has refused a commit or a checkpoint.
///
/// After a failed `fsync` the system may discard what it could not write, and report nothing the next time. So nothing that is committed
/// later can be trusted to be durable. As PostgreSQL does, this logs the error and ends the process; what the next process finds in the log is
/// what was committed. Until then the actions of that commit are answered with the outcome `unknown`, and all others are refused.
final class DiskFailure: Sendable {
    private let isThere = Atomic(false)
    private let logger: Logger
    private let endProcess: @Sendable () -> Void

    /// - Parameter endProcess: called once, when the disk has failed.
    init(logger: Logger, endProcess: @escaping @Sendable () -> Void = DiskFailure.endProcess) {
        (self.logger, self.endProcess) = (logger, endProcess)
    }

    var hasBegun: Bool { isThere.load(ordering: .acquiring) }

    /// - Throws: `DataUnavailable` once the disk has failed.
    func check() throws(DataUnavailable) {
        if hasBegun { throw DataUnavailable(reason: "the disk has failed") }
    }

    func begin(_ error: any Error) {
        guard !isThere.exchange(true, ordering: .acquiringAndReleasing) else { return }
        logger.critical("the disk has refused a write; the process ends, as the next one finds what was committed", metadata: ["error": "\(error)"])
        endProcess()
    }

    /// The time in which the requests in progress are answered.
    private static let answeringTime = DispatchTimeInterval.seconds(1)

    /// Ends the process with the status `EX_IOERR` of `sysexits.h`, whatever hangs in it.
    static let endProcess: @Sendable () -> Void = {
        DispatchQueue.global().asyncAfter(deadline: .now() + answeringTime) { _exit(EX_IOERR) }
    }
}
