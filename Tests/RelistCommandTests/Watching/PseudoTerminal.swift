import Dispatch
import Glibc

/// A terminal for a program that is tested.
///
/// `@unchecked Sendable`: all mutable state is only accessed on `queue`, because reading blocks a thread.
final class PseudoTerminal: @unchecked Sendable {
    /// The path of the terminal.
    let path: String
    private let master: Int32
    /// The terminal is kept open, so that it exists before and after the program.
    private let terminal: Int32
    private let queue = DispatchQueue(label: "terminal")
    private var output: [UInt8] = []

    // The requests TIOCSPTLCK and TIOCGPTN. Swift cannot import them, because they are macros that compute their values. The functions
    // `unlockpt` and `ptsname` need `_XOPEN_SOURCE`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (CInt, CInt) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &unlocked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw Spawning.Failure(code: errno)
        }
        path = "/dev/pts/\(number)"
        terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        resize(rows: rows, columns: columns)
    }

    deinit {
        close(master)
        close(terminal)
    }

    /// A Boolean value that indicates whether the terminal echoes what the user types, as it does before and after the program.
    var echoes: Bool {
        var attributes = termios()
        tcgetattr(terminal, &attributes)
        return attributes.c_lflag & UInt32(ECHO) != 0
    }

    func resize(rows: UInt16, columns: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { Glibc.write(master, $0.baseAddress, $0.count) }
    }

    /// Reads the output of the program until it contains a text, and removes everything up to the end of the text.
    func show(_ text: String) async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var buffer = [UInt8](repeating: 0, count: 65536)
                while true {
                    if let range = output.firstRange(of: Array(text.utf8)) {
                        output.removeFirst(range.upperBound)
                        break
                    }
                    let count = read(master, &buffer, buffer.count)
                    guard count > 0 else { break }
                    output += buffer[..<count]
                }
                continuation.resume()
            }
        }
    }
}
