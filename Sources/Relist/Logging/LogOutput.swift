import Glibc
import Synchronization

/// A file or stream to which lines of a log are appended. A lock keeps the lines of several threads apart.
final class LogOutput: Sendable {
    static let standardError = LogOutput(descriptor: STDERR_FILENO)
    static let standardOutput = LogOutput(descriptor: STDOUT_FILENO)

    private struct State {
        var descriptor: Int32
        /// A Boolean value that indicates whether the last write ended within a line.
        var isWithinLine = false
    }

    /// The path of the file; `nil` for a stream.
    private let path: String?
    private let state: Mutex<State>

    init(descriptor: Int32) {
        path = nil
        state = Mutex(State(descriptor: descriptor))
    }

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Throws: ``Failure``.
    init(path: String) throws(Failure) {
        self.path = path
        state = Mutex(State(descriptor: try Self.open(path)))
    }

    deinit {
        if path != nil { close(state.withLock { $0.descriptor }) }
    }

    /// An error of the system, as a value of `errno`.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let code: Int32

        var description: String { String(cString: strerror(code)) }
    }

    /// Appends lines. If the file was renamed or removed since the last call, a new file is created first. So a log can be rotated without a
    /// signal.
    ///
    /// - Returns: `nil`, or the reason why not all bytes were written.
    func write(_ lines: [UInt8]) -> Failure? {
        state.withLock { state in
            let reopening = reopenIfMoved(&state)
            // The rest of an incomplete line must not be continued with another line.
            let bytes = state.isWithinLine ? [UInt8(ascii: "\n")] + lines : lines
            let (count, failure) = Self.write(bytes, to: state.descriptor)
            if count > 0 { state.isWithinLine = bytes[count - 1] != UInt8(ascii: "\n") }
            return failure ?? reopening
        }
    }

    private func reopenIfMoved(_ state: inout State) -> Failure? {
        guard let path else { return nil }
        var (named, opened) = (stat(), stat())
        if stat(path, &named) == 0, fstat(state.descriptor, &opened) == 0, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev {
            return nil
        }
        do throws(Failure) {
            let descriptor = try Self.open(path)
            close(state.descriptor)
            state = State(descriptor: descriptor)
            return nil
        } catch {
            // Until a new file can be created, the lines are appended to the old one.
            return error
        }
    }

    private static func open(_ path: String) throws(Failure) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        return descriptor
    }

    /// Writes bytes, and waits while a pipe is full. Returns the number of bytes written.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> (count: Int, Failure?) {
        bytes.withUnsafeBytes { bytes in
            var count = 0
            while count < bytes.count {
                let written = Glibc.write(descriptor, bytes.baseAddress! + count, bytes.count - count)
                if written >= 0 {
                    count += written
                } else if errno == EAGAIN {
                    var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&end, 1, -1)
                } else if errno != EINTR {
                    return (count, Failure(code: errno))
                }
            }
            return (count, nil)
        }
    }
}
