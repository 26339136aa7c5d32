import Glibc
import Synchronization

/// An object that catches signals, such as SIGTERM and SIGINT, and waits for the first one.
///
/// The object catches signals as soon as it is initialized. The second caught signal ends the process immediately, for a user who presses
/// Ctrl-C twice. The exit code is 128 plus the number of the signal, as in a shell. The process ends itself, because the system would not
/// end the first process of a container by a signal.
///
/// A process uses one instance at a time. A new instance replaces the earlier instance.
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

    /// Waits for the first signal, and returns its number. Returns immediately if a signal has already arrived.
    public func first() async -> Int32 {
        await arrival.wait()
        return caught.withLock { $0 }
    }

    private static func catchAll(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // Only async-signal-safe functions (POSIX) are allowed here, and errno must be preserved.
            if hasCaught.exchange(true, ordering: .acquiringAndReleasing) { _exit(128 + signal) }
            let code = errno
            var byte = UInt8(truncatingIfNeeded: signal)
            write(writeEnd.load(ordering: .acquiring), &byte, 1)
            errno = code
        }
        sigaction(signal, &action, nil)
    }

    /// Waits for the first signal on a dedicated thread, because reading from the pipe blocks the thread until a signal arrives.
    private func wait(at readEnd: Int32) {
        Thread.start { [self] in
            var byte: UInt8 = 0
            while read(readEnd, &byte, 1) < 0 && errno == EINTR {}
            caught.withLock { $0 = Int32(byte) }
            arrival.open()
        }
    }
}

/// These values are global, because a signal handler can access only globals.
private let writeEnd = Atomic<Int32>(-1)
private let hasCaught = Atomic(false)
