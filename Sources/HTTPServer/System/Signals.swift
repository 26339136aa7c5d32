import Glibc
import Synchronization

/// The first of some signals, such as SIGTERM and SIGINT, for a task to wait for.
///
/// It catches them from `init` on, whatever thread they reach. A second one, of whichever kind, ends the process at
/// once, with the exit code that a shell has for it (128 and the signal), so that an impatient Ctrl-C works: also for
/// the first process of a container, which the system protects from signals that nobody catches. A process has one of
/// these at a time; a later one takes over.
public final class Signals: Sendable {
    private let arrival = Latch()
    private let caught = Mutex<Int32>(0)

    public init(catching signals: [Int32]) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("no descriptors left for signals") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        hasCaught.store(false, ordering: .releasing)
        wait(at: ends[0])
        for signal in signals { Self.catchAll(signal) }
    }

    /// Returns the first signal that came, at once if it has come already.
    public func first() async -> Int32 {
        await arrival.wait()
        return caught.withLock { $0 }
    }

    private static func catchAll(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // Only what POSIX calls async-signal-safe may happen here, and errno must survive.
            if hasCaught.exchange(true, ordering: .acquiringAndReleasing) { _exit(128 + signal) }
            let code = errno
            var byte = UInt8(truncatingIfNeeded: signal)
            write(writeEnd.load(ordering: .acquiring), &byte, 1)
            errno = code
        }
        sigaction(signal, &action, nil)
    }

    /// Reads on a thread of its own: it blocks until a signal comes, perhaps forever.
    private func wait(at readEnd: Int32) {
        Thread.start { [self] in
            var byte: UInt8 = 0
            while read(readEnd, &byte, 1) < 0 && errno == EINTR {}
            caught.withLock { $0 = Int32(byte) }
            arrival.open()
        }
    }
}

/// A handler of signals can reach nothing but globals.
private let writeEnd = Atomic<Int32>(-1)
private let hasCaught = Atomic(false)
